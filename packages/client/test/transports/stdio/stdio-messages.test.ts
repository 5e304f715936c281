import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { McpClient } from '../../../src/index.ts'
import { StdioTransport } from '../../../src/stdio.ts'
import { pretendWindows } from '../../process/fake-windows.ts'

test('messages are lines, and neither the revision nor listening adds any [S4-16] [S4-41] [S4-42]', async () => {
  const { child } = pretendWindows()
  const written: string[] = []
  child.stdin.on('data', (chunk) => written.push(String(chunk)))
  createInterface({ input: child.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    const opening = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 'fake', version: '1' },
    }
    const result = method === 'initialize' ? opening : {}
    if (id !== undefined) child.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  })
  const client = new McpClient(new StdioTransport({ command: 'server' }), { era: 'legacy' })
  await client.connect()
  await client.ping()
  const lines = written.join('').split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map((line) => JSON.parse(line).method)).toEqual([
    'initialize',
    'notifications/initialized',
    'ping',
  ])
  child.exit(0)
  await client.close()
})

test('messages of one turn are one write after the first, and closing writes those that wait', async () => {
  const { child } = pretendWindows()
  const written: string[] = []
  child.stdin.on('data', (chunk) => written.push(String(chunk)))
  const transport = new StdioTransport({ command: 'server' })
  await transport.start()
  const notify = (method: string): unknown => transport.notify(`notifications/${method}`)
  notify('a')
  queueMicrotask(() => notify('b'))
  process.nextTick(() => notify('c'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(written.map(methodsIn)).toEqual([['a'], ['b', 'c']])
  await new Promise((resolve) => setImmediate(resolve))
  notify('d')
  notify('e')
  child.exit(0)
  await transport.close()
  expect(written.slice(2).map(methodsIn)).toEqual([['d'], ['e']])
})

test('a long message is not held until the end of the turn, and those before it are written with it', async () => {
  const { child } = pretendWindows()
  const written: string[] = []
  child.stdin.on('data', (chunk) => written.push(String(chunk)))
  const transport = new StdioTransport({ command: 'server' })
  await transport.start()
  void transport.notify('notifications/a')
  void transport.notify('notifications/b')
  void transport.notify('notifications/c', { text: 'x'.repeat(100_000) })
  expect(written.map(methodsIn)).toEqual([['a'], ['b', 'c']])
  child.exit(0)
  await transport.close()
})

function methodsIn(written: string): readonly string[] {
  return Array.from(written.matchAll(/notifications\/(\w+)/g), ([, method = '']) => method)
}
