import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBridge } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { nodeServer, permissive } from '../servers/specs.ts'

const program = fileURLToPath(new URL('../servers/slow-to-stop.mjs', import.meta.url))

test('a server gets the time to stop that its definition gives [D19] [S1-37]', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'stop-')), 'outcome')
  const spec = nodeServer('slow', program, file)
  const bridge = await openBridge(
    permissive([{ ...spec, policy: { stop: { closeStdin: true, graceMs: 120_000, termMs: 2_500 } } }]),
  )
  expect(bridge.status()).toMatchObject([{ state: 'ready' }])
  await bridge.close()
  expect(readFileSync(file, 'utf8')).toBe('finished')
})
