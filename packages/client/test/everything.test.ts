import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { connectMcp } from '../src/index.ts'

const testkit = createRequire(new URL('../../testkit/package.json', import.meta.url))
const everything = testkit.resolve('@modelcontextprotocol/server-everything/dist/index.js')

test('the official example server is started, listed, called and ended', async () => {
  const connection = await connectMcp(
    { command: process.execPath, args: [everything, 'stdio'] },
    { onElicitation: async () => ({ action: 'decline' }) },
  )
  try {
    const names = connection.tools.map(({ name }) => name)
    expect(names).toContain('echo')
    expect(names.length).toBeGreaterThan(5)
    const echoed = await connection.client.callTool('echo', { message: 'hello' })
    expect(echoed.content).toEqual([{ type: 'text', text: expect.stringContaining('hello') }])
  } finally {
    await connection.close()
  }
})

test('its long running operation reports progress [B9]', async () => {
  const connection = await connectMcp({ command: process.execPath, args: [everything, 'stdio'] })
  try {
    const tool = connection.tools.find(({ name }) => /long.?running/i.test(name))
    const seen: number[] = []
    const args = { duration: 0.3, steps: 3 }
    await connection.client.callTool(tool?.name ?? '', args, {
      onProgress: ({ progress }) => seen.push(progress),
    })
    expect(seen).toEqual([1, 2, 3])
  } finally {
    await connection.close()
  }
})
