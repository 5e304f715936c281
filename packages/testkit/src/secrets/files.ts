import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canaryIn } from './canary.ts'
import { look } from './leaks.ts'
import { before, type Watched } from './wrap.ts'

/** A file that is meant to contain secrets. */
export interface KnownFile {
  readonly path: RegExp
  readonly reason: string
}

/** Files of other runs and of copied images are older. */
const startedAtMs = Date.now() - 1_000
const ownFiles = new Set<string>()
const product = /\/packages\/(?!testkit\/)\w+\/(?:src|dist)\//

/**
 * Searches files for canaries when they are removed. A file to which the test itself wrote a secret is never a leak.
 */
export function watchFiles(places: readonly KnownFile[]): void {
  const lookAtGone = ({ given: [path] }: Watched): void => lookInFiles(path, places)
  for (const owner of [fs, fs.promises]) {
    for (const name of ['writeFile', 'appendFile']) before(owner, name, noteOwn)
    for (const name of ['rm', 'unlink']) before(owner, name, lookAtGone)
    before(owner, 'rename', noteMoved)
  }
  for (const name of ['writeFileSync', 'appendFileSync']) before(fs, name, noteOwn)
  for (const name of ['rmSync', 'unlinkSync']) before(fs, name, lookAtGone)
  before(fs, 'renameSync', noteMoved)
  syncBuiltinESMExports()
}

function noteOwn({ given: [path, text] }: Watched): void {
  if (canaryIn(String(text)) === undefined) return
  const { stack = '' } = new Error('who writes this?')
  if (!product.test(stack)) ownFiles.add(pathOf(path))
}

function noteMoved({ given: [from, to] }: Watched): void {
  if (ownFiles.has(pathOf(from))) ownFiles.add(pathOf(to))
}

/** Searches a file, or all files of a folder, for canaries. */
export function lookInFiles(at: unknown, places: readonly KnownFile[]): void {
  const path = pathOf(at)
  const found = fs.lstatSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() === true)
    for (const name of fs.readdirSync(path)) lookInFiles(join(path, name), places)
  if (found?.isFile() !== true || found.mtimeMs < startedAtMs || isKnown(path, found, places)) return
  look('files', fs.readFileSync(path), `the file ${path}`)
}

function isKnown(path: string, { mode }: fs.Stats, places: readonly KnownFile[]): boolean {
  if (ownFiles.has(path)) return true
  return (mode & 0o077) === 0 && places.some((place) => place.path.test(path))
}

function pathOf(path: unknown): string {
  return resolve(path instanceof URL ? fileURLToPath(path) : String(path))
}
