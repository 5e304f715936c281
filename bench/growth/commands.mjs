/**
 * The commands that read a file: the command runs in a folder of its own, with text in its file.
 *
 * @typedef {object} CommandRow
 * @property {string} command
 * @property {string} [place] Where the text is in the file. Default: the file is the text.
 * @property {readonly string[]} args `FILE` stands for the file.
 * @property {string} [file] Its name. Default: `mcp.json`.
 * @property {(text: string) => string} [write]
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../packages/cli/dist/main.cjs', import.meta.url))
const probe = new URL('command-cpu.mjs', import.meta.url).href
/** A command that takes longer is ended, and counts as if it had taken this long. */
const withinMs = 20_000

/** @param {string} text */
const entry = (text) =>
  JSON.stringify({ mcpServers: { a: { command: 'no-such-program', args: [text], env: { A: text } } } })
const inFile = ['--mcp', 'FILE']
const offline = ['--start-timeout', '2']

/** @param {string} text */
const entryBeside = (text) =>
  JSON.stringify({ mcpServers: { toolbridge: { command: 'toolbridge' }, b: { args: [text] } } })
const inProject = { file: '.mcp.json' }
const rules = ['--permissions', 'FILE', '--stdio', 'program']

/** @type {readonly CommandRow[]} */
export const commandRows = [
  ...configured('tools', [...inFile, 'tools', ...offline]),
  ...configured('config list', [...inFile, 'config', 'list']),
  ...configured('config explain', [...inFile, 'config', 'explain', 'a']),
  ...configured('config convert', ['config', 'convert', 'FILE', '--to', 'claude-code']),
  ...configured('config import', ['config', 'import', '--dry-run'], { file: '.claude.json' }),
  ...configured('config remove', [...inFile, 'config', 'remove', 'a']),
  ...configured('config add', [...inFile, 'config', 'add', 'b', '--', 'program']),
  ...configured('config trust', ['config', 'trust', 'a'], inProject),
  ...configured('doctor', [...inFile, 'doctor', '--no-active']),
  { command: 'call', args: [...inFile, 'call', 'a.b', ...offline], write: entry },
  { command: 'resources', args: [...inFile, 'resources', ...offline], write: entry },
  { command: 'prompts', args: [...inFile, 'prompts', ...offline], write: entry },
  { command: 'complete', args: [...inFile, 'complete', 'a', 'b=c', ...offline], write: entry },
  { command: 'auth', args: [...inFile, 'auth', 'status'], write: entry },
  { command: 'generate', args: [...inFile, 'generate', ...offline], write: entry },
  { command: 'add', args: [...inFile, 'add', 'b', '--yes', '--', 'program'], write: entry },
  { command: 'connect', args: ['connect', 'claude-code', '--project', '--yes'], ...inProject, write: entry },
  {
    command: 'disconnect',
    args: ['disconnect', 'claude-code', '--project', '--yes'],
    ...inProject,
    write: entryBeside,
  },
  { command: 'permissions list', args: ['permissions', 'list', '--permissions', 'FILE'], file: 'rules.json' },
  {
    command: 'permissions test',
    place: 'rule',
    args: ['permissions', 'test', 'program.b', ...rules],
    file: 'rules.json',
    write: (text) => JSON.stringify({ deny: [`mcp://program/b(c=${text})`] }),
  },
  {
    command: 'permissions explain',
    args: ['permissions', 'explain', 'program.b', ...rules],
    file: 'rules.json',
  },
  { command: 'replay', args: ['replay', 'FILE'], file: 'a.cassette' },
]

/** Commands that have no row, and why. */
export const withoutRow = /** @type {Readonly<Record<string, string>>} */ ({
  agent: 'reads the configuration as `tools` does, then needs a model',
  ask: 'reads the configuration as `tools` does, then needs a model',
  chat: 'reads the configuration as `tools` does, then needs a model',
  completion: 'reads no file',
  config: 'the list of its commands',
  grants: 'reads records that Toolbridge wrote',
  keys: 'asks the gateway',
  lockbox: 'the list of its commands',
  'lockbox audit': 'reads the store, which only Toolbridge writes',
  'lockbox rotate': 'reads the store, which only Toolbridge writes',
  'lockbox status': 'reads the store, which only Toolbridge writes',
  'lockbox verify': 'reads the store, which only Toolbridge writes',
  login: 'asks the gateway',
  logout: 'asks the gateway',
  open: 'asks the gateway',
  permissions: 'the list of its commands',
  ps: 'reads no file of others',
  run: 'the file is a program of the person who runs it',
  serve: 'reads the configuration as `tools` does, then stays',
})

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ readonly file?: string }} [where]
 * @returns {CommandRow[]}
 */
function configured(command, args, where = {}) {
  return [
    { command, args, ...where },
    { command, place: 'entry', args, ...where, write: entry },
  ]
}

/**
 * The CPU time of a command, in milliseconds.
 *
 * @param {CommandRow} row
 * @param {string} text
 */
export function runCommand(row, text) {
  return inFolder(row, text, (args, folder) => {
    const { output } = spawnSync(process.execPath, ['--import', probe, program, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      timeout: withinMs,
      killSignal: 'SIGKILL',
    })
    const micros = Number(output[3]?.toString() || Number.NaN)
    return Number.isNaN(micros) ? withinMs : micros / 1_000
  })
}

/**
 * Calls a function with the arguments of a command and the folder that has its file.
 *
 * @template T
 * @param {CommandRow} row
 * @param {string} text
 * @param {(args: readonly string[], folder: string) => T | Promise<T>} use
 * @returns {Promise<T>}
 */
export async function inFolder({ args, file = 'mcp.json', write = (text) => text }, text, use) {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-bench-'))
  try {
    const path = join(folder, file)
    await writeFile(path, write(text))
    return await use(
      args.map((word) => (word === 'FILE' ? path : word)),
      folder,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
