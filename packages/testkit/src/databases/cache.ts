import { chmod, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where tests keep folders. Root's own temporary folder may be closed to the user that a server has to run as. */
export const temporaryRoot: string = process.getuid?.() === 0 ? '/tmp' : tmpdir()

/** Tests of one run may have folders of their own: what is kept is not kept there. */
const cacheRoot =
  process.getuid?.() === 0 ? temporaryRoot : (process.env['TOOLBRIDGE_TEST_CACHE'] ?? temporaryRoot)

/**
 * A folder that is made once per machine and user and then kept. It appears whole or not at all; of several processes
 * that make it at once, one wins and the others use what it made.
 */
export async function cachedFolder(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const place = join(cacheRoot, `toolbridge-${name}-${process.getuid?.() ?? 'user'}`)
  if (await isOurs(place)) return place
  const draft = await mkdtemp(`${place}-draft-`)
  try {
    await chmod(draft, 0o755)
    await make(draft)
    await rename(draft, place)
  } catch (error) {
    if (!(await isOurs(place))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return place
}

/** Anyone may create a folder of that name in a shared temporary folder, with programs of their own in it. */
async function isOurs(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined)
  if (found === undefined) return false
  if (found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true
  throw new Error(`${place} belongs to somebody else; remove it`)
}
