import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a built file atomically, so that a starting program never reads a partial file. A file with the same text is
 * not changed.
 *
 * @param {string} path
 * @param {string | Uint8Array} text
 */
export function replaceFile(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, text)
  renameSync(fresh, path)
}
