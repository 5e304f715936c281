import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { attackedServer } from '../../bridge/test/attacks/attacked-bridge.ts'
import { ambiguousMessages } from '../../bridge/test/attacks/programs/ambiguous-messages.ts'
import { runInProcess } from './in-process.ts'
import { temporaryFolder } from './transcript.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

test('serve --stdio refuses a message whose keys differ only in case or appear twice, and calls no tool', async () => {
  const mcp = join(folder.path, 'mcp.json')
  writeFileSync(mcp, JSON.stringify({ mcpServers: { folding: { command: 'folding' } } }))
  const touched: string[] = []
  const stdin = new PassThrough()
  const send = (text: string, id: number): boolean => stdin.write(`${text.replaceAll('#', String(id))}\n`)
  send(initialize, 0)
  for (const [index, [, text]] of ambiguousMessages.entries()) send(text, index + 1)
  send(plain, 1_000)
  const { stdout } = await runInProcess(['serve', '--stdio', '--mcp', mcp], {
    transportOf: ({ name }) => attackedServer(name, touched),
    stdin,
    onOutput: (text) => {
      // A second call: the first may overtake one before it that has more to look at.
      if (text.includes('"id":1000')) send(plain, 1_001)
      if (text.includes('"id":1001')) stdin.end()
    },
  })
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line): Answer => JSON.parse(line))
  const served = answers.filter(({ result }) => result !== undefined).map(({ id = 0 }) => id)
  expect(served.map((id) => ambiguousMessages[id - 1]?.[0] ?? id)).toEqual([0, 1_000, 1_001])
  expect(touched).toEqual(['/tmp/last', '/tmp/last'])
})

interface Answer {
  readonly id?: number
  readonly result?: object
}

const initialize =
  '{"jsonrpc":"2.0","id":#,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}'
const plain =
  '{"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"folding__use","arguments":{"path":"/tmp/last"}}}'
