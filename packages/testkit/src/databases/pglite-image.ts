import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { openKeyring, openLockbox } from '@toolbridge/lockbox'
import { cachedFolder, temporaryRoot } from './cache.ts'

/** A lockbox folder for one test; `close()` removes it. */
export interface PgliteFolder {
  readonly location: string
  close(): Promise<void>
}

/**
 * A fresh lockbox folder with its schema in place and no key yet, in a third of a second: making one takes several.
 * Copied from an image that is made anew whenever the code behind it changes.
 */
export async function openPgliteFromImage(): Promise<PgliteFolder> {
  const image = await cachedFolder(`pglite-${await checksumOfSchema()}`, makeImage)
  const location = await mkdtemp(join(temporaryRoot, 'toolbridge-lockbox-'))
  await promisify(execFile)('cp', ['-R', `${image}/.`, location])
  return { location, close: () => rm(location, { recursive: true, force: true }) }
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
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const hash = createHash('sha256').update(engine)
  for (const folder of ['migrations', 'database']) {
    const names = (await readdir(join(source, folder))).filter((name) => /\.(ts|js)$/.test(name)).toSorted()
    for (const name of names) hash.update(await readFile(join(source, folder, name)))
  }
  return hash.digest('hex').slice(0, 12)
}
