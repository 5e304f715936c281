/** Runs a host on a folder of files and returns what it started and which tools it offered to the model. */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { markOf, toolNames } from './stub-answers.mjs'
import { startStubHttp } from './stub-http.mjs'

const limitMs = 120_000

/** Variables of every run. The names contain nothing that hosts treat as a secret. */
export const variables = { SET_VAR: 'set', EMPTY_VAR: '', SHELL_ONLY: 'shell' }

/** Creates the folder of a run. `prepare` returns the files, and may put the port and folder into them. */
export async function runHost(host, prepare) {
  const folder = mkdtempSync(join(tmpdir(), 'toolbridge-host-'))
  const stub = await startStubHttp()
  try {
    for (const file of ['stub-server.mjs', 'stub-answers.mjs'])
      cpSync(fileURLToPath(new URL(file, import.meta.url)), join(folder, file))
    const project = join(folder, 'project')
    for (const each of ['home', 'project/.git']) mkdirSync(join(folder, each), { recursive: true })
    const run = { folder, project, home: join(folder, 'home'), port: stub.port }
    const prepared = await prepare(run)
    for (const [file, text] of Object.entries(prepared.files)) save(join(folder, file), filled(text, run))
    const expected = await prepared.expect(run)
    const { output, isTimeout } = await startHost(host, run)
    const found = {
      starts: recordsIn(join(folder, 'starts.jsonl')),
      methods: methodsIn(recordsIn(join(folder, 'received.jsonl'))),
      reached: stub.reached,
      tools: offered(stub.prompts),
      output,
      isTimeout,
    }
    return { expected, found, hasPrompt: stub.prompts.length > 0 }
  } finally {
    stub.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Replaces `@STUB@`, `@NODE@`, `@PROJECT@`, `@HOME@` and `@PORT@`. */
export function filled(text, { folder, project, home, port }) {
  const values = {
    STUB: join(folder, 'stub-server.mjs'),
    NODE: process.execPath,
    PROJECT: project,
    HOME: home,
    PORT: port,
  }
  return text.replaceAll(/@([A-Z]+)@/g, (whole, name) => String(values[name] ?? whole))
}

function save(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The environment of a host: no proxy but a closed port, so that nothing leaves the machine. */
export function environmentOf({ home }) {
  const closed = 'http://127.0.0.1:9'
  return {
    ...variables,
    PATH: process.env.PATH ?? '',
    HOME: home,
    TERM: 'dumb',
    CI: '1',
    HTTP_PROXY: closed,
    HTTPS_PROXY: closed,
    NO_PROXY: '127.0.0.1,localhost',
  }
}

async function startHost(host, run) {
  const { command, env } = host.start(run)
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: run.project,
    env: { ...environmentOf(run), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  let isTimeout = false
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const timer = setTimeout(() => {
    isTimeout = true
    endGroup(child)
  }, limitMs)
  await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve))
  clearTimeout(timer)
  endGroup(child)
  return { output, isTimeout }
}

/** The host and everything it started. */
function endGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}

function recordsIn(file) {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** Reports for a label which requests a stub program got. */
function methodsIn(received) {
  return (label) => received.filter((each) => each.label === label).map(({ method }) => method)
}

/** Reports for a label which of its tools were offered. */
function offered(prompts) {
  return (label) => toolNames.filter((tool) => prompts.some((body) => body.includes(markOf(label, tool))))
}
