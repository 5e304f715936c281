/** The command from start to exit, compared with programs without a library and other commands. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {import('../rounds.mjs').Job} Job */

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'command-version',
    module: 'command',
    server: { kind: 'none' },
    maxRounds: 25,
    isPinned: false,
    clients: ['node', 'toolbridge'],
    rows: [
      {
        key: 'wallMs',
        title: 'toolbridge --version (base: node -e 0)',
        unit: 'ms',
        target: { atMost: 1.6 },
      },
    ],
  },
  ofOneServer('tools'),
  ofOneServer('call'),
]

/**
 * A command that starts one stdio server, compared with a script that does the same.
 *
 * @param {'tools' | 'call'} command
 * @returns {import('../rounds.mjs').Measure}
 */
function ofOneServer(command) {
  return {
    name: `command-${command}`,
    module: 'command',
    server: { kind: 'stdio' },
    maxRounds: 25,
    isPinned: false,
    clients: ['raw', 'toolbridge', 'mcporter', 'inspector'],
    rows: [
      {
        key: 'wallMs',
        title: `toolbridge ${command}, one stdio server`,
        unit: 'ms',
        target: { atMost: 1.35 },
      },
    ],
  }
}

/** @param {Job} job */
export async function sample(job) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-command-'))
  try {
    const args = argumentsOf(job, folder)
    const startedAt = performance.now()
    await run(args, folder)
    return { wallMs: performance.now() - startedAt }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Arguments of Node.
 *
 * @param {Job} job
 * @param {string} folder
 * @returns {readonly string[]}
 */
function argumentsOf({ name, client, server }, folder) {
  const command = fileOf('../../packages/cli/dist/main.cjs')
  if (name === 'command-version') return client === 'node' ? ['-e', '0'] : [command, '--version']
  if (!('command' in server)) throw new Error('the commands use a server over stdio')
  const config = configOf(server, folder)
  const isCall = name === 'command-call'
  switch (client) {
    case 'toolbridge':
      return [command, ...(isCall ? ['call', 'bench__echo', 'text=hello'] : ['tools']), '--mcp', config]
    case 'mcporter':
      return [mcporter, '--config', config, ...(isCall ? ['call', 'bench.echo', 'text=hello'] : ['list'])]
    case 'inspector':
      return [inspector, '--cli', server.command, ...server.args, ...inspectorArguments(isCall)]
    default:
      return [fileOf('../clients/raw-command.mjs'), isCall ? 'call' : 'list', server.command, ...server.args]
  }
}

/** @param {boolean} isCall */
function inspectorArguments(isCall) {
  if (!isCall) return ['--method', 'tools/list']
  return ['--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'text=hello']
}

const mcporter = fileOf('../peers/node_modules/mcporter/dist/cli.js')
const inspector = fileOf('../peers/node_modules/@modelcontextprotocol/inspector/cli/build/cli.js')

/**
 * @param {{ command: string, args: readonly string[] }} server
 * @param {string} folder
 */
function configOf({ command, args }, folder) {
  const file = join(folder, 'mcp.json')
  writeFileSync(file, JSON.stringify({ mcpServers: { bench: { command, args } } }))
  return file
}

/**
 * Runs Node until it exits, with a separate home folder, so that no configuration of this machine is read.
 *
 * @param {readonly string[]} args
 * @param {string} home
 * @returns {Promise<void>}
 */
function run(args, home) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home }
  const child = spawn(process.execPath, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stdout.resume()
  child.stderr.on('data', (chunk) => (errors += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`exit status ${code}: ${errors.trim()}`))
    })
  })
}

/** @param {string} path */
function fileOf(path) {
  return fileURLToPath(new URL(path, import.meta.url))
}
