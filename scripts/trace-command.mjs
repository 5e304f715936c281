// Finds out which modules of the command run before and after it starts a server.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const server = fileURLToPath(new URL('../bench/servers/stdio.mjs', import.meta.url))

/** The commands that should start fast. */
const commandLines = [['tools'], ['call', 'traced__echo', 'text=hello']]

/** Runs the text of the first file, which calls `globalThis.used` with every module. Returns their names. */
export async function traceCommand(text) {
  const folder = mkdtempSync(join(tmpdir(), 'trace-command-'))
  try {
    writeFileSync(join(folder, 'traced.cjs'), `module.exports = ${text}`)
    writeFileSync(join(folder, 'run.cjs'), runner)
    const servers = { mcpServers: { traced: { command: process.execPath, args: [server] } } }
    writeFileSync(join(folder, 'mcp.json'), JSON.stringify(servers))
    const traces = await Promise.all(commandLines.map((args, index) => trace(folder, `${index}.json`, args)))
    const before = new Set(traces.flatMap((trace) => trace.before))
    return { before, after: new Set(traces.flatMap((trace) => trace.after)) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function trace(folder, output, args) {
  const env = { PATH: process.env.PATH, HOME: folder, TRACE: join(folder, output) }
  const command = [join(folder, 'run.cjs'), ...args, '--mcp', join(folder, 'mcp.json')]
  await promisify(execFile)(process.execPath, command, { cwd: folder, env })
  return JSON.parse(readFileSync(env.TRACE, 'utf8'))
}

const runner = `
const { ChildProcess } = require('node:child_process')
const [before, after] = [[], []]
let current = before
globalThis.used = (id) => current.push(id)
const { spawn } = ChildProcess.prototype
ChildProcess.prototype.spawn = function (...args) {
  current = after
  return spawn.apply(this, args)
}
process.on('exit', () => require('node:fs').writeFileSync(process.env.TRACE, JSON.stringify({ before, after })))
require('./traced.cjs')(__filename, {}).start(process.argv.slice(2))
`
