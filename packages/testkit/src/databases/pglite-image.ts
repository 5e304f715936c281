import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { openKeyring, openLockbox } from '@toolbridge/lockbox'
import { cachedFolder } from './cache.ts'

/** A lockbox folder for one test; `close()` removes it. */
export interface PgliteFolder {
  readonly location: string
  close(): Promise<void>
}

/** Arguments of Node for a process that uses PGlite briefly: V8 would spend a second of CPU on optimizing its code. */
export const briefPgliteArguments: readonly string[] = ['--liftoff-only']

/**
 * Returns a new lockbox folder with its schema and no key. Copied from an image, which is faster than creating one. The
 * image is rebuilt when the code that defines it changes.
 */
export async function openPgliteFromImage(): Promise<PgliteFolder> {
  // The end of the run removes its folder, also after a process that was killed.
  const parent = process.env['TOOLBRIDGE_TEST_RUN'] ?? tmpdir()
  const location = await mkdtemp(join(parent, 'toolbridge-lockbox-'))
  await copyPgliteImage(location)
  return { location, close: () => rm(location, { recursive: true, force: true }) }
}

/** Copies the image into a folder, which is created if missing. A program copies it with less CPU time than Node. */
export async function copyPgliteImage(folder: string): Promise<void> {
  const image = await preparePgliteImage()
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('cp', ['-pR', `${image}/.`, folder])
}

/** Creates the image if missing. Slow the first time, so call it in a hook and not in a test. */
export async function preparePgliteImage(): Promise<string> {
  return cachedFolder(`pglite-${await checksumOfSchema()}`, makeImage)
}

async function makeImage(draft: string): Promise<void> {
  const keyring = await openKeyring({ key: randomBytes(32).toString('hex') })
  const lockbox = await openLockbox({ location: draft, keyring })
  await lockbox.close()
  await forgetKey(join(draft, 'database'))
  const locks = (await readdir(draft)).filter((name) => name.startsWith('lock.'))
  await Promise.all(locks.map((name) => rm(join(draft, name))))
}

async function forgetKey(dataDir: string): Promise<void> {
  const database = await PGlite.create(dataDir)
  await database.exec('delete from lockbox.key_check; checkpoint')
  await database.close()
}

async function checksumOfSchema(): Promise<string> {
  const source = dirname(fileURLToPath(import.meta.resolve('@toolbridge/lockbox')))
  const paths = (await readdir(source, { recursive: true }))
    .filter((path) => shapesTheImage.test(path))
    .toSorted()
  const hash = createHash('sha256').update(import.meta.resolve('@electric-sql/pglite'))
  for (const path of paths) hash.update(await readFile(join(source, path)))
  return hash.digest('hex').slice(0, 12)
}

const shapesTheImage = /^database\/(migrations\/.*|pglite|tenancy|maintenance|roles)\.(ts|js)$/
