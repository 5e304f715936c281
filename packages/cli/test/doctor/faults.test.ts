import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { useFolder } from '../folders.ts'
import { runInProcess } from '../in-process.ts'
import { type FaultServers, serverSource, startAt, startFaultServers } from './fault-servers.ts'

let servers: FaultServers
beforeAll(async () => {
  servers = await startFaultServers()
})
afterAll(() => servers.close())

const folder = useFolder()
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

interface Stage {
  readonly stage: string
  readonly outcome: string
  readonly code: string
  readonly seen: string
  readonly fix?: string
  readonly stderr?: readonly string[]
}

/** How the command is run for a fault. */
interface Run {
  readonly options?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The configuration file. Default: `mcp.json`, named by `--mcp`; `project` for the file of a project. */
  readonly file?: string
}

interface Fault extends Run {
  readonly stage: string
  readonly code: string
  /** What the printed fix says. */
  readonly fix: RegExp
  /** Creates the fault. */
  readonly make: () => void | Promise<void>
  /** Does what the fix says. */
  readonly apply: (fix: string) => Run | void | Promise<Run | void>
}

const path = (name: string): string => join(folder.path, name)

function write(name: string, text: string): string {
  mkdirSync(join(path(name), '..'), { recursive: true })
  writeFileSync(path(name), text)
  return path(name)
}

/** Writes a configuration with one server named `odd`, or with the servers given. */
function configure(entry: object, others: object = {}): void {
  write('mcp.json', JSON.stringify({ mcpServers: { odd: entry, ...others } }, null, 2))
}

function nodeServer(source: string, ...args: readonly string[]): object {
  return { command: process.execPath, args: [write('server.mjs', source), ...args] }
}

async function stagesOf({ options = [], env = {}, file = 'mcp.json' }: Run): Promise<readonly Stage[]> {
  const named = file === 'project' ? [] : ['--mcp', path(file)]
  const args = ['doctor', '--format', 'json', ...named, ...options]
  const { stdout } = await runInProcess(args, { cwd: folder.path, env: { HOME: path('home'), ...env } })
  const { mcp }: { mcp: { stages: readonly Stage[]; servers: readonly { stages: readonly Stage[] }[] } } =
    JSON.parse(stdout)
  return [...mcp.stages, ...mcp.servers.flatMap((server) => server.stages)]
}

/** Lets the command make the change that it suggests. */
async function fixWithCommand(...options: readonly string[]): Promise<void> {
  const args = ['doctor', '--fix', '--yes', '--mcp', path('mcp.json'), ...options]
  const { stderr } = await runInProcess(args, { cwd: folder.path, env: { HOME: path('home') } })
  expect(stderr).toContain('made 1 change; run doctor again')
}

const remote = (path: string, headers: Readonly<Record<string, string>> = {}): object => ({
  type: 'http',
  url: `${servers.origin}${path}`,
  headers,
})

/** For faults that are found without starting anything. */
const passive = ['--no-active']

const faults: Readonly<Record<string, Fault>> = {
  'missing binary': {
    options: passive,
    stage: 'binary',
    code: 'program_missing',
    fix: /^correct "command", or create .*\/bin\/odd$/,
    make: () => configure({ command: path('bin/odd') }),
    apply: () => chmodSync(write('bin/odd', `#!${process.execPath}\n${serverSource()}`), 0o755),
  },
  'bad shebang': {
    options: passive,
    stage: 'binary',
    code: 'interpreter_missing',
    fix: /^correct the first line of .*\/odd, or set "command" to its interpreter/,
    make: () => {
      chmodSync(write('odd', `#!/usr/bin/env no-such-node\n${serverSource()}`), 0o755)
      configure({ command: path('odd') })
    },
    apply: () => void write('odd', `#!${process.execPath}\n${serverSource()}`),
  },
  'program without permission': {
    options: passive,
    stage: 'binary',
    code: 'program_not_executable',
    fix: /^run: chmod \+x \/.*\/odd$/,
    make: () => configure({ command: write('odd', `#!${process.execPath}\n${serverSource()}`) }),
    apply: () => chmodSync(path('odd'), 0o755),
  },
  'line endings of Windows': {
    options: passive,
    stage: 'binary',
    code: 'shebang_line_ending',
    fix: /^save .*\/odd with Unix line endings$/,
    make: () => {
      chmodSync(write('odd', `#!${process.execPath}\r\n${serverSource()}`), 0o755)
      configure({ command: path('odd') })
    },
    apply: () => void write('odd', `#!${process.execPath}\n${serverSource()}`),
  },
  'module not found': {
    stage: 'first-byte',
    code: 'module_missing',
    fix: /^run in the folder of the program: npm install the-missing-part$/,
    make: () => configure(nodeServer(`import 'the-missing-part'\n${serverSource()}`)),
    apply: () => {
      write('node_modules/the-missing-part/package.json', '{ "main": "main.js" }')
      write('node_modules/the-missing-part/main.js', '')
    },
  },
  'text on stdout': {
    stage: 'first-byte',
    code: 'stdout_text',
    fix: /^write logs to the standard error instead: console\.error in Node/,
    make: () => configure(nodeServer(`console.log('Server started')\n${serverSource()}`)),
    apply: () => configure(nodeServer(`console.error('Server started')\n${serverSource()}`)),
  },
  'exit 0 at start': {
    stage: 'first-byte',
    code: 'exited_at_start',
    fix: /^check "args" .* an argument such as "stdio"/,
    make: () => configure(nodeServer(`if (process.argv[2] !== 'stdio') process.exit(0)\n${serverSource()}`)),
    apply: () =>
      configure(nodeServer(`if (process.argv[2] !== 'stdio') process.exit(0)\n${serverSource()}`, 'stdio')),
  },
  'crash at start': {
    stage: 'first-byte',
    code: 'crashed_at_start',
    fix: /^solve what it says, which may be a missing argument or environment variable$/,
    make: () => configure(nodeServer(`if (!process.env.KEY) throw new Error('set KEY')\n${serverSource()}`)),
    apply: () => {
      const entry = nodeServer(`if (!process.env.KEY) throw new Error('set KEY')\n${serverSource()}`)
      configure({ ...entry, env: { KEY: 'a key' } })
    },
  },
  'silent start': {
    stage: 'first-byte',
    code: 'silent_start',
    fix: /^check that "args" make it an MCP server over stdio, or give it more time: "timeouts"/,
    options: ['--start-timeout', '0.2'],
    make: () => configure({ command: process.execPath, args: ['-e', 'process.stdin.resume()'] }),
    apply: () => {
      configure(nodeServer(serverSource()))
      return { options: [] }
    },
  },
  'silent list': {
    stage: 'list',
    code: 'list_silent',
    fix: /^look at its log: it may wait for a service/,
    options: ['--timeout', '0.1'],
    make: () => configure(nodeServer(serverSource(), '--silent-list')),
    apply: () => {
      configure(nodeServer(serverSource()))
      return { options: [] }
    },
  },
  'port refused': {
    stage: 'spawn',
    code: 'connection_refused',
    fix: /^start the server, or correct the port in "url"$/,
    make: async () => {
      const gone = await startAt(0)
      await gone.close()
      configure({ type: 'http', url: `${gone.origin}/mcp` })
    },
    apply: () => configure(remote('/mcp')),
  },
  '404': {
    stage: 'first-byte',
    code: 'http_not_found',
    fix: /^set "url" to http:\/\/127\.0\.0\.1:\d+\/mcp$/,
    make: () => configure(remote('/nothing')),
    apply: () => fixWithCommand(),
  },
  '405': {
    stage: 'first-byte',
    code: 'http_method_refused',
    fix: /^set "url" to http:\/\/127\.0\.0\.1:\d+\/mcp$/,
    make: () => configure(remote('/get-only')),
    apply: () => fixWithCommand(),
  },
  'HTML answer': {
    stage: 'first-byte',
    code: 'html_answer',
    fix: /^set "url" to http:\/\/127\.0\.0\.1:\d+\/mcp$/,
    make: () => configure(remote('/page')),
    apply: () => fixWithCommand(),
  },
  'redirect to another origin': {
    stage: 'first-byte',
    code: 'redirected',
    fix: /^if that is right, set "url" to http:\/\/127\.0\.0\.1:\d+\/mcp$/,
    make: () => configure(remote('/moved')),
    apply: () => fixWithCommand(),
  },
  '401 without metadata': {
    stage: 'authorization',
    code: 'metadata_missing',
    fix: /add "headers": \{ "Authorization": "Bearer \$\{env:TOKEN\}" \} to the entry$/,
    make: () => configure(remote('/key')),
    apply: () => {
      configure(remote('/key', { Authorization: 'Bearer ${env:TOKEN}' }))
      return { env: { TOKEN: 'good-key' } }
    },
  },
  'wrong resource': {
    stage: 'authorization',
    code: 'resource_mismatch',
    fix: /^set "url" to http:\/\/127\.0\.0\.1:\d+\/mcp, or ask/,
    make: () => configure(remote('/wrong')),
    apply: () => fixWithCommand(),
  },
  'expired token': {
    stage: 'authorization',
    code: 'token_expired',
    fix: /^replace the token: set TOKEN to a new one$/,
    env: { TOKEN: 'old-token' },
    make: () => configure(remote('/expired', { Authorization: 'Bearer ${env:TOKEN}' })),
    apply: () => ({ env: { TOKEN: 'new-token' } }),
  },
  'unset variable': {
    options: passive,
    stage: 'variables',
    code: 'variable_unset',
    fix: /set NOT_SET_ANYWHERE/,
    make: () => configure({ ...nodeServer(serverSource()), env: { TOKEN: '${env:NOT_SET_ANYWHERE}' } }),
    apply: () => ({ env: { NOT_SET_ANYWHERE: 'a value' } }),
  },
  'broken JSON': {
    options: passive,
    stage: 'file',
    code: 'syntax',
    fix: /^correct the text there/,
    make: () => void write('mcp.json', '{ "mcpServers": { "odd": { "command": "node" } }'),
    apply: () => configure(nodeServer(serverSource())),
  },
  'broken TOML': {
    options: passive,
    stage: 'file',
    code: 'syntax',
    fix: /^correct the text there/,
    file: 'config.toml',
    make: () => void write('config.toml', '[mcp_servers.odd\ncommand = "node"\n'),
    apply: () => {
      const [command, script] = [process.execPath, write('server.mjs', serverSource())].map((text) =>
        JSON.stringify(text),
      )
      write('config.toml', `[mcp_servers.odd]\ncommand = ${command}\nargs = [${script}]\n`)
    },
  },
  'unknown widening field': {
    options: passive,
    stage: 'dialect',
    code: 'field_widens',
    fix: /^remove it, and allow tools with permission rules$/,
    make: () => configure({ ...nodeServer(serverSource()), autoApprove: ['hello'] }),
    apply: () => fixWithCommand(...passive),
  },
  'unknown restricting field': {
    options: passive,
    stage: 'dialect',
    code: 'field_restricts',
    fix: /^remove "sandboxMode"/,
    make: () => configure({ ...nodeServer(serverSource()), sandboxMode: 'strict' }),
    apply: () => fixWithCommand(...passive),
  },
  untrusted: {
    options: passive,
    stage: 'trust',
    code: 'untrusted',
    fix: /^check the entry, then run: toolbridge config trust odd$/,
    file: 'project',
    make: () => {
      const entry = nodeServer(serverSource())
      write('.toolbridge/mcp.json', JSON.stringify({ mcpServers: { odd: entry } }))
    },
    apply: async () => {
      const options = { cwd: folder.path, env: { HOME: path('home') } }
      expect((await runInProcess(['config', 'trust', 'odd', '--yes'], options)).code).toBe(0)
    },
  },
  disabled: {
    options: passive,
    stage: 'trust',
    code: 'disabled',
    fix: /^to use it, enable it in .*mcp\.json$/,
    make: () => configure({ ...nodeServer(serverSource()), disabled: true }),
    apply: () => configure({ ...nodeServer(serverSource()), disabled: false }),
  },
  'no clean exit': {
    stage: 'exit',
    code: 'exit_killed',
    fix: /^ask its author to exit when its input ends, or on SIGTERM$/,
    make: () => {
      const stubborn = `process.on('SIGTERM', () => {})\nsetInterval(() => {}, 60_000)\n${serverSource()}`
      const policy = { stop: { closeStdin: true, graceMs: 1, termMs: 100 } }
      configure({ ...nodeServer(stubborn), policy })
    },
    apply: () => configure(nodeServer(serverSource())),
  },
  'name too long': {
    stage: 'names',
    code: 'name_shortened',
    fix: /^give the server a name that is at least \d+ characters shorter than "a{60}"$/,
    make: () =>
      void write(
        'mcp.json',
        JSON.stringify({ mcpServers: { ['a'.repeat(60)]: nodeServer(serverSource()) } }),
      ),
    apply: (fix) => {
      const count = Number(/at least (\d+)/.exec(fix)?.[1])
      const name = 'a'.repeat(60 - count)
      write('mcp.json', JSON.stringify({ mcpServers: { [name]: nodeServer(serverSource()) } }))
    },
  },
  'name collision': {
    stage: 'names',
    code: 'name_collision',
    fix: /^rename the server (?:odd-one|odd_one), so that its letters and digits differ$/,
    make: () => {
      const entry = nodeServer(serverSource())
      write('mcp.json', JSON.stringify({ mcpServers: { 'odd-one': entry, odd_one: entry } }))
    },
    apply: () => {
      const entry = nodeServer(serverSource())
      write('mcp.json', JSON.stringify({ mcpServers: { 'odd-one': entry, other: entry } }))
    },
  },
  'schema refused by a provider': {
    stage: 'schema',
    code: 'schema_refused',
    fix: /or leave the tool out: "tools": \{ "deny": \["text_only"\] \}$/,
    make: () => {
      const tools = [
        { name: 'hello', inputSchema: { type: 'object' } },
        {
          name: 'text_only',
          inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/missing' } } },
        },
      ]
      configure(nodeServer(serverSource({ tools })))
    },
    apply: () => fixWithCommand(),
  },
}

test.each(Object.entries(faults))(
  'doctor names the fault "%s" by its code, and its fix makes the stage pass',
  async (_name, { stage, code, fix, make, apply, ...run }) => {
    await make()
    const broken = await stagesOf(run)
    const found = broken.find((each) => each.code === code)
    expect(found, JSON.stringify(broken, null, 2)).toMatchObject({ stage, fix: expect.stringMatching(fix) })
    const changed = await apply(found?.fix ?? '')
    const fixed = await stagesOf({ ...run, ...changed })
    const again = fixed.filter((each) => each.stage === stage)
    expect(again.length, JSON.stringify(fixed, null, 2)).toBeGreaterThan(0)
    expect(again.map(({ outcome }) => outcome)).toEqual(again.map(() => 'ok'))
  },
)
