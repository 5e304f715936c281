import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { program } from './transcript.ts'

const folder = useFolder()
let child: ChildProcess | undefined
afterEach(() => {
  if (child?.exitCode === null) child.kill('SIGKILL')
})

/** A server that writes its process id into a file, and never a word of the protocol. */
const silentProgram = `
  require('node:fs').writeFileSync(process.argv[1], String(process.pid))
  setInterval(() => {}, 1000)
`

test.each([
  ['tools', 'SIGINT'],
  ['doctor', 'SIGTERM'],
  ['call', 'SIGHUP'],
] as const)(
  '%s is given up by %s while a server starts, and the server is stopped',
  async (command, signal) => {
    const [file, pidFile] = [join(folder.path, 'mcp.json'), join(folder.path, 'pid')]
    const silent = { command: process.execPath, args: ['-e', silentProgram, pidFile] }
    writeFileSync(file, JSON.stringify({ mcpServers: { silent } }))
    const tool = command === 'call' ? ['silent__tool'] : []
    child = spawn(process.execPath, [program, command, ...tool, '--mcp', file], { stdio: 'ignore' })
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/^\d+$/)
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([130, null])
    expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow('ESRCH')
  },
)
