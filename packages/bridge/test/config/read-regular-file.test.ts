import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { localAuthority } from '@toolbridge/bridge'
import { resolveSpec } from '@toolbridge/bridge/config'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'))
  await writeFile(join(folder, 'fitting'), 'A=1\n')
  await writeFile(join(folder, 'large'), '')
  // Has no blocks on the disk.
  await truncate(join(folder, 'large'), 16 * 1024 * 1024 + 1)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function codesOf(change: object): Promise<readonly string[]> {
  const spec = { ...inMemory('hello'), ...change }
  const resolved = resolveSpec(spec, localAuthority(), { isTrusted: true })
  return resolved.then(
    ({ issues }) => issues.map(({ code }) => code),
    ({ issues }) => issues.map(({ code }: { code: string }) => code),
  )
}

// Windows has no such files.
test.skipIf(process.platform === 'win32').each(['/dev/null', '/dev/zero', '/tmp', 'large'])(
  'neither an env file nor a variable reads %s, which is no regular file of a fitting size',
  async (file) => {
    const path = resolve(folder, file)
    expect(await codesOf({ envFile: path })).toEqual(['env_file_missing'])
    expect(await codesOf({ env: { A: `\${file:${path}}` } })).toEqual(['file_unreadable'])
  },
)

test('a regular file is read', async () => {
  expect(await codesOf({ envFile: join(folder, 'fitting') })).toEqual([])
})
