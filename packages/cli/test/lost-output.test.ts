import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, closeSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { program } from './transcript.ts'

const folder = useFolder()

interface Ended {
  readonly code: unknown
  readonly stderr: string
}

async function listTools(stdout: 'pipe' | number): Promise<Ended> {
  const file = join(folder.path, 'mcp.json')
  const hello = { command: process.execPath, args: [fixtureServers.hello] }
  writeFileSync(file, JSON.stringify({ mcpServers: { hello } }))
  const child = spawn(process.execPath, [program, 'tools', '--mcp', file], {
    stdio: ['ignore', stdout, 'pipe'],
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdout?.destroy()
  const [code] = await once(child, 'close')
  return { code, stderr }
}

test('a reader that goes away is no failure', async () => {
  expect(await listTools('pipe')).toEqual({ code: 0, stderr: '' })
})

test('a reader that takes one line gets one line, and there is no complaint', async () => {
  const file = join(folder.path, 'mcp.json')
  writeFileSync(file, JSON.stringify({ mcpServers: { off: { command: 'x', disabled: true } } }))
  const script = '"$@" | head -n 1'
  const words = [
    process.execPath,
    program,
    'config',
    'explain',
    '--mcp',
    file,
    '--format',
    'json',
    '--pretty',
  ]
  const child = spawn('sh', ['-c', script, 'sh', ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect({ stdout, stderr }).toEqual({ stdout: '{\n', stderr: '' })
})

// A disk without room is only to be had where the kernel offers one.
test.skipIf(!existsSync('/dev/full'))(
  'any other failure to write is said in one line and is the exit status',
  async () => {
    const full = openSync('/dev/full', 'w')
    const { code, stderr } = await listTools(full)
    closeSync(full)
    expect(code).toBe(74)
    expect(stderr).toMatch(/^toolbridge: cannot write the output: .*ENOSPC.*\n$/)
  },
)
