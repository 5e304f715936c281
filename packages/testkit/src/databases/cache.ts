import { chmod, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const isRoot = process.getuid?.() === 0
const isRunInMemory = process.env['TOOLBRIDGE_TEST_RUN']?.startsWith('/dev/shm/') === true

/** Folder for the folders of tests. Root's temporary folder may be inaccessible to the user that runs a server. */
export const temporaryRoot: string = isRoot ? (isRunInMemory ? '/dev/shm' : '/tmp') : tmpdir()

/** The cache outlives the run, so it is not in the temporary folder of the run. */
const cacheRoot = isRoot ? '/tmp' : (process.env['TOOLBRIDGE_TEST_CACHE'] ?? tmpdir())

/**
 * Returns a folder that is created once per machine and user. Creation is atomic: if several processes create it at once, one
 * succeeds and the others use its result.
 */
export async function cachedFolder(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const folder = join(cacheRoot, `toolbridge-${name}-${process.getuid?.() ?? 'user'}`)
  if (await isOurs(folder)) return folder
  const draft = await mkdtemp(`${folder}-draft-`)
  try {
    await chmod(draft, 0o755)
    await make(draft)
    await rename(draft, folder)
  } catch (error) {
    if (!(await isOurs(folder))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return folder
}

/** In a shared temporary folder, another user may have created a folder of that name with other programs in it. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined)
  if (found === undefined) return false
  if (found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true
  throw new Error(`${folder} belongs to another user; remove it`)
}
