import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const testkit = createRequire(new URL('../../../testkit/package.json', import.meta.url))
const own = createRequire(new URL('../../package.json', import.meta.url))

/** A program from npm, as its README says to run it, and a call that it answers. */
export interface RealServer {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly call: {
    readonly tool: string
    readonly args: Readonly<Record<string, unknown>>
    readonly answer: RegExp
  }
}

/** Four servers of the protocol's authors and three of others, none of which needs an account. */
export function realServers(folder: string): Readonly<Record<string, RealServer>> {
  return {
    everything: server(testkit.resolve('@modelcontextprotocol/server-everything/dist/index.js'), {
      tool: 'echo',
      args: { message: 'hello' },
      answer: /Echo: hello/,
    }),
    files: {
      ...server(testkit.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'), {
        tool: 'list_allowed_directories',
        args: {},
        answer: /Allowed directories/,
      }),
      args: [folder],
    },
    memory: {
      ...server(testkit.resolve('@modelcontextprotocol/server-memory/dist/index.js'), {
        tool: 'create_entities',
        args: { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }] },
        answer: /Ada|\[\]/,
      }),
      env: { MEMORY_FILE_PATH: `${folder}/memory.jsonl` },
    },
    thinking: server(testkit.resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js'), {
      tool: 'sequentialthinking',
      args: { thought: 'first', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      answer: /thoughtNumber/,
    }),
    time: server(programOf('time-mcp', 'dist/index.js'), {
      tool: 'days_in_month',
      args: { date: '2024-02-10' },
      answer: /29/,
    }),
    tasks: {
      ...server(programOf('@kazuph/mcp-taskmanager', 'dist/index.js'), {
        tool: 'list_requests',
        args: {},
        answer: /./,
      }),
      env: { TASK_MANAGER_FILE_PATH: `${folder}/tasks.json` },
    },
    runner: server(programOf('mcp-server-code-runner', 'dist/cli.js'), {
      tool: 'run-code',
      args: { code: 'console.log(6 * 7)', languageId: 'javascript' },
      answer: /42/,
    }),
  }
}

function server(program: string, call: RealServer['call']): RealServer {
  return { program, args: [], env: {}, call }
}

/** The program of a package that exports only what can be imported. */
function programOf(name: string, file: string): string {
  const folders = own.resolve.paths(name) ?? []
  const program = folders.map((folder) => join(folder, name, file)).find((path) => existsSync(path))
  if (program === undefined) throw new Error(`${name} is not installed`)
  return program
}

type Entries = Readonly<Record<string, RealServer>>

const command = process.execPath

/** The same servers as the files of eight hosts would have them. */
export const dialects: Readonly<
  Record<string, { readonly file: string; readonly write: (servers: Entries) => string }>
> = {
  'claude-code': {
    file: '.mcp.json',
    write: (servers) => JSON.stringify({ mcpServers: entries(servers) }),
  },
  cursor: {
    file: '.cursor/mcp.json',
    write: (servers) => JSON.stringify({ mcpServers: entries(servers) }),
  },
  vscode: {
    file: '.vscode/mcp.json',
    write: (servers) => JSON.stringify({ servers: entries(servers, { type: 'stdio' }) }),
  },
  'gemini-cli': {
    file: '.gemini/settings.json',
    write: (servers) => JSON.stringify({ mcpServers: entries(servers) }),
  },
  codex: { file: '.codex/config.toml', write: (servers) => Object.entries(servers).map(asToml).join('\n') },
  opencode: {
    file: 'opencode.json',
    write: (servers) =>
      JSON.stringify({
        mcp: mapped(servers, ({ program, args, env }) => ({
          type: 'local',
          command: [command, program, ...args],
          environment: env,
        })),
      }),
  },
  'core-agent': {
    file: '.agents/mcp.json',
    write: (servers) => JSON.stringify({ version: 1, servers: entries(servers, { transport: 'stdio' }) }),
  },
  zed: {
    file: '.zed/settings.json',
    write: (servers) => JSON.stringify({ context_servers: entries(servers) }),
  },
}

function entries(servers: Entries, more: object = {}): object {
  return mapped(servers, ({ program, args, env }) => ({ ...more, command, args: [program, ...args], env }))
}

function mapped(servers: Entries, entry: (server: RealServer) => object): object {
  return Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, entry(server)]))
}

function asToml([name, { program, args, env }]: readonly [string, RealServer]): string {
  const variables = Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
  return [
    `[mcp_servers.${name}]`,
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify([program, ...args])}`,
    `[mcp_servers.${name}.env]`,
    ...variables,
  ].join('\n')
}
