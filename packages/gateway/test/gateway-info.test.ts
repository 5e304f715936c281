import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { gatewayInfo } from '../src/gateway-info.ts'

test('the gateway tells the version of its package', async () => {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  expect(gatewayInfo.version).toBe(JSON.parse(manifest).version)
})
