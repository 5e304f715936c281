import { ConfigError } from '@toolbridge/bridge'
import { type Authority, readConfig, resolveSpec, type ServerSpec } from '@toolbridge/bridge/config'
import { canary } from '@toolbridge/testkit/secrets'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dialects } from '../../../src/config/dialects/all.ts'

/** Texts that some host replaces by the variable A, or by what could show it. */
const references = [
  '${A}',
  '${A:-x}',
  '${A-x}',
  '${env:A}',
  '${env:A:-x}',
  '${env.A}',
  '\\${A}',
  '$${A}',
  '$A',
  '$env:A',
  '%A%',
  '{env:A}',
  '{{A}}',
  '{{ env.A }}',
  '${{ env.A }}',
  '${{ secrets.A }}',
  '${{ inputs.A }}',
  '${input:A}',
  '${secret:A}',
  '${context:A}',
  '${file:/proc/self/environ}',
  '{file:/proc/self/environ}',
  '$(printenv A)',
  '`printenv A`',
  '${command:printenv A}',
  '${cmd:printenv A}',
  '${X:-${A}}',
  '${env:X:-${env:A}}',
  '${env:${A}}',
]

/** The documents of hosts, with one local server and one remote server that have a text wherever texts stand. */
const shapes: readonly ((text: string) => object)[] = [
  (text) => ({ mcpServers: servers(text) }),
  (text) => ({ servers: servers(text) }),
  (text) => ({ mcp_servers: servers(text) }),
  (text) => ({ context_servers: servers(text) }),
  (text) => ({ 'amp.mcpServers': servers(text) }),
  (text) => ({ metadata: { mcp: servers(text) } }),
  (text) => ({ extensions: gooseServers(text) }),
  (text) => ({ mcpServers: Object.entries(servers(text)).map(([name, server]) => ({ name, ...server })) }),
  (text) => ({
    mcp: {
      local: { type: 'local', command: ['a', text], environment: { K: text } },
      remote: { type: 'remote', url: 'https://a.test/', headers: { K: text } },
    },
  }),
  (text) => ({ mcp: servers(text) }),
  (text) => ({
    version: 1,
    servers: {
      local: { transport: 'stdio', command: 'a', args: [text], env: { K: text } },
      remote: { transport: 'http', url: 'https://a.test/', headers: { K: text } },
    },
  }),
  (text) => Object.entries(servers(text)).map(([name, server]) => ({ ...server, name, type: undefined })),
  (text) => ({
    mcp: {
      servers: {
        local: { type: 'local', command: ['a', text], environment: { K: text } },
        remote: { type: 'remote', url: 'https://a.test/', headers: { K: text } },
      },
    },
  }),
]

function servers(text: string): Readonly<Record<string, object>> {
  return {
    local: { command: 'a', args: [text], env: { K: text } },
    remote: { type: 'http', url: 'https://a.test/', headers: { K: text } },
  }
}

function gooseServers(text: string): object {
  return {
    local: { type: 'stdio', name: 'local', cmd: 'a', args: [text], envs: { K: text } },
    remote: { type: 'streamable_http', name: 'remote', uri: 'https://a.test/', headers: { K: text } },
  }
}

const cases = dialects.flatMap(({ name }) =>
  shapes.flatMap((shape) =>
    references.flatMap((reference) =>
      readConfig(JSON.stringify(shape(reference)), { file: '/project/mcp.json', dialect: name }).servers.map(
        (spec) => ({ dialect: name, reference, spec }),
      ),
    ),
  ),
)

/** What a server is given, as text. Undefined if it is refused. */
async function given(spec: ServerSpec, authority: Authority, answer = ''): Promise<string | undefined> {
  const inputs = { answer: (): Promise<string> => Promise.resolve(answer) }
  try {
    const { spec: resolved } = await resolveSpec(spec, authority, { inputs })
    return JSON.stringify(resolved.transport === 'stdio' ? [resolved.args, resolved.env] : resolved.headers)
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

beforeEach(() => {
  vi.stubEnv('A', canary('process'))
})

afterEach(() => {
  vi.unstubAllEnvs()
})

test('no spelling of a variable of any host shows a user of a platform the environment, advisory [C4]', async () => {
  const shown: string[] = []
  for (const { dialect, reference, spec } of cases) {
    const text = await given(spec, { kind: 'session' })
    if (text?.includes(canary('process')) === true) shown.push(`${dialect} ${reference}`)
  }
  expect(shown).toEqual([])
  const read = new Set(cases.map(({ dialect }) => dialect))
  expect(dialects.map(({ name }) => name).filter((name) => !read.has(name))).toEqual([])
})

/** Texts that are instructions somewhere: to this program, to hosts, to shells and to `String.replace`. */
const values = [
  ...references,
  '$',
  '$$',
  '$&',
  '$1',
  "$'",
  '$`',
  '$<a>',
  '${',
  '}',
  '\\',
  '"',
  '%A',
  '{',
  '$$&${A}$&',
]

test('what a variable of any host is replaced by is taken as it is, whatever it looks like, advisory [C5]', async () => {
  const changed: string[] = []
  const expanding = new Set<string>()
  for (const { dialect, reference, spec } of cases) {
    const local = (value: string): Promise<string | undefined> =>
      given(spec, { kind: 'local', env: { A: value }, workspaceFolder: '/code' }, value)
    const plain = await local('BENIGN')
    if (plain === undefined || !plain.includes('BENIGN')) continue
    expanding.add(`${dialect} ${reference}`)
    for (const value of values) {
      const expected = plain.replaceAll('BENIGN', () => JSON.stringify(value).slice(1, -1))
      const actual = await local(value)
      if (actual !== expected) changed.push(`${dialect} ${reference} = ${value}: ${actual}`)
    }
  }
  expect(changed).toEqual([])
  expect(expanding.size).toBeGreaterThan(50)
})
