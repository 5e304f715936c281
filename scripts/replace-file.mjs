import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a built file in one step, so that a program which is being started never reads half of it. A file with the
 * same text is left alone.
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
