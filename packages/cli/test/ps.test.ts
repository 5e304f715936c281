import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type LocalProcesses, schemaProblems } from '@toolbridge/client/internal'
import { expect, test } from 'vitest'
import { programOf } from '../src/actions/ps/owner-program.ts'
import { listOrStop } from '../src/actions/ps/ps.ts'
import type { Options } from '../src/command.ts'
import { reportError } from '../src/report-error.ts'
import { runInProcess } from './in-process.ts'
import { schemaNamed } from './published-schemas.ts'
import type { Finished } from './transcript.ts'

// The processes of the machine are made up: those of other programs on it must not be stopped by a test.

type Entry = Awaited<ReturnType<LocalProcesses['read']>>[number]

const [SERVE, ENDED] = [100, 101]

const owner = entry({ pid: SERVE, startedAt: 1 })
const files = server(200, SERVE, 'files')
const search = server(300, ENDED, 'search')
const child = { ...search, pid: 301, group: 300, session: 300 }
const nameless = server(400, ENDED)

test('each server is listed with its pid, age and owner, and orphans with how to stop them', async () => {
  const { code, stdout, stderr } = await psOf([owner, files, search, child, nameless])
  expect(code).toBe(0)
  expect(stdout.replaceAll(/\d+s( |$)/gm, '0s$1').split('\n')).toEqual([
    expect.stringMatching(/^SERVER +PID +AGE +OWNER$/),
    expect.stringMatching(/^files +200 +(\d+m )?0s +toolbridge serve \(pid 100\)$/),
    expect.stringMatching(/^search +300 +(\d+m )?0s +orphan: its owner \(pid 101\) has ended$/),
    expect.stringMatching(/^\(no name\) +400 +(\d+m )?0s +orphan: its owner \(pid 101\) has ended$/),
    '',
  ])
  expect(stderr).toBe('Stop orphans with: toolbridge ps --stop\n')
})

test('the JSON follows the published schema', async () => {
  const { stdout } = await psOf([owner, files, search, child, nameless], { format: 'json' })
  const json = valid('list', stdout)
  expect(json).toMatchObject({
    processes: [
      { server: 'files', pid: 200, owner: { pid: SERVE, program: 'toolbridge serve' }, isOrphan: false },
      { server: 'search', processes: [300, 301], owner: { pid: ENDED, program: null }, isOrphan: true },
      { server: null, pid: 400 },
    ],
  })
})

test('if nothing runs, one line says so', async () => {
  expect(await psOf([owner])).toEqual({ code: 0, stdout: 'No server is running.\n', stderr: '' })
  expect(await psOf([owner, files], { stop: true })).toEqual({
    code: 0,
    stdout: 'No orphans: nothing to stop.\n',
    stderr: '',
  })
})

test('--stop alone stops orphans, with their processes, and nothing else', async () => {
  const machine = fakeMachine([owner, files, search, child, nameless])
  const { code, stdout } = await ps(machine, { stop: true })
  expect(code).toBe(0)
  expect(stdout).toBe('stopped search (pid 300) and 1 more process of it\nstopped (no name) (pid 400)\n')
  expect(machine.pids()).toEqual([SERVE, 200])
})

test('a named server is not stopped without a confirmation', async () => {
  const machine = fakeMachine([owner, files])
  const refused = await ps(machine, { stop: true }, 'files')
  expect(refused).toMatchObject({ code: 4, stdout: '' })
  expect(refused.stderr).toContain('toolbridge: not stopped; add --yes to stop without asking')
  expect(machine.pids()).toEqual([SERVE, 200])
})

test.each(['files', '200'])(
  '--yes stops the server named %s, and tells that its owner lives',
  async (word) => {
    const machine = fakeMachine([owner, files, search])
    const { code, stdout } = await ps(machine, { stop: true, yes: true }, word)
    expect(code).toBe(0)
    expect(stdout).toBe(
      'stopped files (pid 200); its owner, toolbridge serve (pid 100), may start it again\n',
    )
    expect(machine.pids()).toEqual([SERVE, 300])
  },
)

test('what was stopped is reported as JSON by the published schema', async () => {
  const { stdout } = await psOf([search], { stop: true, format: 'json' })
  expect(valid('stop', stdout)).toMatchObject({ stopped: [{ pid: 300, outcome: 'stopped', survivors: [] }] })
})

test('a server that contains this command is not stopped', async () => {
  const machine = fakeMachine([search, { ...child, pid: process.pid }])
  const { code, stdout } = await ps(machine, { stop: true })
  expect(code).toBe(1)
  expect(stdout).toBe('did not stop search (pid 300): this command runs inside it\n')
  expect(machine.pids()).toEqual([300, process.pid])
})

test('an unknown server stops none, and gets a suggestion', async () => {
  const machine = fakeMachine([owner, files])
  const { code, stderr } = await ps(machine, { stop: true, yes: true }, 'files', 'fiels')
  expect(code).toBe(2)
  expect(stderr).toContain('no running server "fiels". Did you mean "files"? See: toolbridge ps')
  expect(machine.pids()).toEqual([SERVE, 200])
})

test('a server without --stop is a usage error, and so is a system without a table of processes', async () => {
  const { code, stderr } = await psOf([files], {}, 'files')
  expect(code).toBe(2)
  expect(stderr).toContain('unexpected argument "files". To stop it: toolbridge ps --stop files')
  expect(await ps(undefined)).toMatchObject({ code: 2, stderr: expect.stringContaining('only on Linux') })
})

test('a name cannot forge a line or control the terminal', async () => {
  const { stdout } = await psOf([owner, server(200, SERVE, 'a\n\u001b[2Jb')])
  expect(stdout.split('\n')).toHaveLength(3)
  expect(stdout).not.toContain('\u001b')
})

test.each([
  ['toolbridge serve', '/usr/bin/node /usr/local/bin/toolbridge --mcp a serve --port 0'],
  ['toolbridge serve --stdio', 'node --import x.mjs /a/node_modules/toolbridge/dist/main.cjs serve --stdio'],
  ['toolbridge call', 'toolbridge call hello__hello key=secret'],
  ['agent.mjs', 'node --enable-source-maps /srv/agent.mjs --key secret'],
  ['node', 'node -e secret()'],
  ['node', 'node --input-type=module --eval secret()'],
  ['electron', '/opt/electron secret'],
])('an owner is shown as %s, without arguments', (program, line) => {
  expect(programOf(line.split(' '))).toBe(program)
})

test('the help teaches how to stop orphans', async () => {
  const { stdout } = await runInProcess(['ps', '--help'])
  expect(stdout).toContain('toolbridge ps --stop [<pid or server> …] [--yes]')
})

interface FakeMachine extends LocalProcesses {
  pids(): readonly number[]
}

function fakeMachine(initial: readonly Entry[]): FakeMachine {
  let table = initial
  return {
    pids: () => table.map(({ pid }) => pid),
    read: async () => table,
    isOwn: () => true,
    commandLine: () => ['node', '/usr/bin/toolbridge', 'serve'],
    send(target) {
      table = table.filter(({ pid, group }) => pid !== target && group !== -target)
    },
  }
}

function psOf(table: readonly Entry[], ...line: ParametersAfterFirst): Promise<Finished> {
  return ps(fakeMachine(table), ...line)
}

type ParametersAfterFirst = [options?: Options, ...positionals: string[]]

async function ps(
  local: LocalProcesses | undefined,
  options: Options = {},
  ...positionals: readonly string[]
): Promise<Finished> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const terminal = {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: {},
    cwd: '/',
    signal: new AbortController().signal,
    interrupt: () => undefined,
  }
  const code = await listOrStop({ positionals, options, terminal }, local).catch((error: unknown) =>
    reportError(error, terminal),
  )
  for (const stream of [stdout, stderr]) stream.end()
  return { code, stdout: await text(stdout), stderr: await text(stderr) }
}

function valid(kind: 'list' | 'stop', json: string): unknown {
  const value: unknown = JSON.parse(json)
  expect(schemaProblems(schemaNamed(`ps-report ${kind}`), value)).toEqual([])
  return value
}

function server(pid: number, ownerPid: number, name?: string): Entry {
  const named = name === undefined ? '' : `~${Buffer.from(name).toString('base64url')}`
  return entry({
    pid,
    parent: ownerPid,
    startedAt: pid,
    tag: `${ownerPid.toString(36)}-a-0.b.${pid}${named}`,
  })
}

function entry(given: Partial<Entry> & Pick<Entry, 'pid'>): Entry {
  return { parent: 1, group: given.pid, session: given.pid, startedAt: 0, tag: '', ...given }
}
