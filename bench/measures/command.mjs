/** The command from start to exit, compared with programs without a library and other commands. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {import('../rounds.mjs').Job} Job
 * @typedef {{ command: string, args: readonly string[] }} Program
 */

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'command-version',
    module: 'command',
    server: { kind: 'none' },
    maxRounds: 8,
    slices: 4,
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
  {
    name: 'command-warm-call',
    module: 'command',
    server: { kind: 'stdio' },
    maxRounds: 11,
    isPinned: false,
    clients: ['mcporter', 'toolbridge'],
    rows: [
      {
        key: 'wallMs',
        title: 'toolbridge call, server kept running by toolbridge serve (base: mcporter and its daemon)',
        unit: 'ms',
        target: { atMost: 1 },
      },
    ],
  },
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
    maxRounds: 8,
    slices: 4,
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
    return { wallMs: await (job.name === 'command-warm-call' ? warmCallMs : commandMs)(job, folder) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * @param {Job} job
 * @param {string} folder
 */
async function commandMs(job, folder) {
  return timed(argumentsOf(job, folder), folder)
}

/**
 * The second call of a server that another process keeps running.
 *
 * @param {Job} job
 * @param {string} folder
 */
async function warmCallMs({ client, server }, folder) {
  if (!('command' in server)) throw new Error('the commands use a server over stdio')
  const command = join(folder, 'server')
  symlinkSync(server.command, command)
  const program = { command, args: server.args }
  const keeper = (client === 'toolbridge' ? serveOf : daemonOf)(program, folder)
  try {
    await keeper.started
    await run(keeper.callArgs, folder)
    // Without it, nobody can start the server again: the call fails unless it uses the running one.
    unlinkSync(command)
    return await timed(keeper.callArgs, folder)
  } finally {
    await keeper.stop()
  }
}

/**
 * @param {Program} program
 * @param {string} folder
 */
function serveOf(program, folder) {
  const config = configOf(program, folder)
  const serve = startNode([toolbridge, 'serve', '--port', '0', '--mcp', config], folder)
  serve.stderr.resume()
  return {
    // The address that it prints when it runs.
    started: once(serve.stdout, 'data'),
    callArgs: callArguments.toolbridge(config),
    async stop() {
      const exited = once(serve, 'exit')
      serve.kill('SIGINT')
      await exited
    },
  }
}

/**
 * @param {Program} program
 * @param {string} folder
 */
function daemonOf(program, folder) {
  const config = configOf({ ...program, lifecycle: 'keep-alive' }, folder)
  return {
    started: run([mcporter, '--config', config, 'daemon', 'start'], folder),
    callArgs: callArguments.mcporter(config),
    stop: () => run([mcporter, '--config', config, 'daemon', 'stop'], folder),
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
  if (name === 'command-version') return client === 'node' ? ['-e', '0'] : [toolbridge, '--version']
  if (!('command' in server)) throw new Error('the commands use a server over stdio')
  const config = configOf(server, folder)
  const isCall = name === 'command-call'
  switch (client) {
    case 'toolbridge':
      return isCall ? callArguments.toolbridge(config) : [toolbridge, 'tools', '--mcp', config]
    case 'mcporter':
      return isCall ? callArguments.mcporter(config) : [mcporter, '--config', config, 'list']
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

const toolbridge = fileOf('../../packages/cli/dist/main.cjs')
const mcporter = fileOf('../peers/node_modules/mcporter/dist/cli.js')
const inspector = fileOf('../peers/node_modules/@modelcontextprotocol/inspector/cli/build/cli.js')

/** Arguments of Node for a call of the server in a configuration file. */
const callArguments = {
  toolbridge: (/** @type {string} */ config) => [
    toolbridge,
    'call',
    'bench__echo',
    'text=hello',
    '--mcp',
    config,
  ],
  mcporter: (/** @type {string} */ config) => [
    mcporter,
    '--config',
    config,
    'call',
    'bench.echo',
    'text=hello',
  ],
}

/**
 * @param {Program & { lifecycle?: string }} server
 * @param {string} folder
 */
function configOf({ command, args, lifecycle }, folder) {
  const file = join(folder, 'mcp.json')
  writeFileSync(file, JSON.stringify({ mcpServers: { bench: { command, args, lifecycle } } }))
  return file
}

/**
 * @param {readonly string[]} args
 * @param {string} home
 */
async function timed(args, home) {
  const startedAt = performance.now()
  await run(args, home)
  return performance.now() - startedAt
}

/**
 * Starts Node with a separate home folder, so that no configuration of this machine is read.
 *
 * @param {readonly string[]} args
 * @param {string} home
 */
function startNode(args, home) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home }
  return spawn(process.execPath, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/**
 * Runs Node until it exits.
 *
 * @param {readonly string[]} args
 * @param {string} home
 * @returns {Promise<void>}
 */
function run(args, home) {
  const child = startNode(args, home)
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
