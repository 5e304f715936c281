import { openBridge } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { scriptedInMemory } from '../servers/scripted-in-memory.ts'
import { permissive } from '../servers/specs.ts'

test('names that core-agent passes on unchanged are names that Gemini accepts [S1-24] [d.6-3]', async () => {
  const tools = ['read-file', 'read.file', 'x'.repeat(80)].map((name) => ({
    name,
    inputSchema: { type: 'object' },
  }))
  await using bridge = await openBridge({
    ...permissive({ files: { command: 'scripted' } }),
    naming: { separator: '_', sanitize: 'namespace-only', onCollision: 'error' },
    transportOf: scriptedInMemory(tools, () => ({ content: [] })),
  })
  const names = bridge.toolsFor('google').tools.map(({ name }) => name)
  expect(names).toHaveLength(3)
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_]{1,64}$/)
})
