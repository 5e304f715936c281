import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BridgeOptions, openBridge, type StdioServerSpec } from '@toolbridge/bridge'
import { mergeConfigs, type Policy, readConfig, resolveSpec } from '@toolbridge/bridge/config'
import { describe, expect, test, vi } from 'vitest'
import { agentTools } from '@toolbridge/bridge/agent-tool'
import { defaultPolicy } from '../src/config/spec/policy.ts'
import { inMemory } from './servers/in-memory.ts'
import { Machine } from './servers/machine.ts'
import { askingInMemory as scripted } from './servers/asking-in-memory.ts'
import { nodeServer, permissive } from './servers/specs.ts'

/** Where a policy is set. */
interface Levels {
  readonly preset?: Partial<Policy>
  readonly bridge?: Partial<Policy>
  readonly server?: Partial<Policy>
}

type Observe = (levels: Levels) => Promise<unknown>

interface Case<T> {
  readonly observe: Observe
  /** What each value leads to. A value that is not a word is a pair. */
  readonly values: readonly (readonly [T, unknown])[]
  /** Read before there are servers, so only the option of the function can override it. */
  readonly isOfReading?: true
}

/** One entry per value, so that a new word without a behaviour is a type error. */
function words<T extends string>(observe: Observe, values: Readonly<Record<T, unknown>>): Case<T> {
  return { observe, values: Object.entries(values) as [T, unknown][] }
}

function spec(more: Partial<StdioServerSpec>, { preset, server }: Levels): StdioServerSpec {
  return { ...inMemory('hello', 'a'), ...more, ...(preset && { preset }), ...(server && { policy: server }) }
}

function open(levels: Levels, more: Partial<BridgeOptions>, specMore: Partial<StdioServerSpec> = {}) {
  return openBridge({ ...permissive([spec(specMore, levels)]), policy: levels.bridge ?? {}, ...more })
}

function named(name: string, tools: readonly string[]): Observe {
  return async (levels) => {
    await using bridge = await open(levels, { transportOf: scripted({ tools }) }, { name })
    return bridge.tools.map((tool) => tool.name).join(' ')
  }
}

function resolved(
  more: Partial<StdioServerSpec>,
  pick: (spec: StdioServerSpec) => unknown,
  workspaceFolder = '/w',
): Observe {
  return async (levels) => {
    const env = { EMPTY: '', TOKEN: 'process', PATH: '/bin', OTHER: 'x' }
    const inputs = { answer: async () => 'store' }
    const own = spec({ env: {}, args: [], ...more }, levels)
    const options = { inputs, ...(levels.bridge && { policy: levels.bridge }) }
    try {
      const { spec: whole } = await resolveSpec(own, { kind: 'local', env, workspaceFolder }, options)
      return pick(whole as StdioServerSpec)
    } catch {
      return 'refused'
    }
  }
}

const args = ({ args: all }: StdioServerSpec): unknown => all

function shown(result: object, error?: object): Observe {
  return async (levels) => {
    await using bridge = await open(levels, { transportOf: scripted({ result, ...(error && { error }) }) })
    const [tool] = agentTools(bridge)
    return await tool?.execute({}).catch(() => 'thrown')
  }
}

const source = { file: '/app/.vscode/mcp.json', pointer: '/a' }
const probe = fileURLToPath(new URL('servers/policy-probe.mjs', import.meta.url))

/** Runs the probe and tells its state, what was written where, and how it was stopped. */
async function runProbe(levels: Levels): Promise<Record<'state' | 'codes' | 'stderr' | 'stopped', unknown>> {
  const file = join(mkdtempSync(join(tmpdir(), 'probe-')), 'outcome')
  const codes: string[] = []
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const bridge = await open(
    levels,
    { journal: (event) => event.type === 'diagnostic' && codes.push(event.code) },
    { ...nodeServer('a', probe, file), name: 'a' },
  )
  const [status] = bridge.status()
  const { stderr = [] } = status as { readonly stderr?: readonly string[] }
  await bridge.close()
  const printed = written.mock.calls
    .map(([text]) => String(text))
    .filter((text) => text.includes('a warning'))
  written.mockRestore()
  const stopped = status?.state === 'ready' ? readFileSync(file, 'utf8') : undefined
  return { state: status?.state, codes, stderr: { kept: stderr, printed }, stopped }
}

const image = { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] }
const both = '{ "mcpServers": { "a": { "command": "x", "url": "https://x.example", "type": "http" } } }'

const behaviours: { readonly [K in keyof Policy]: Case<Policy[K]> } = {
  'naming.separator': words(named('a', ['echo']), {
    '-': 'a-echo',
    _: 'a_echo',
    '.': 'a.echo',
    __: 'a__echo',
    none: 'echo',
  }),
  'naming.sanitize': words(named('a b', ['x.y']), {
    kebab: expect.stringMatching(/^a-b[-_]+x-y/),
    identifier: expect.stringMatching(/^a_b__x_y/),
    'namespace-only': expect.stringMatching(/^a_b__x\.y/),
    none: 'a b__x.y',
  }),
  'naming.maxLength': {
    observe: named('a', ['e'.repeat(40)]),
    values: [
      [30, expect.stringMatching(/^.{30}$/)],
      [64, expect.stringMatching(/^.{43}$/)],
    ],
  },
  'naming.onCollision': words(
    async (levels) => {
      const servers = ['a', 'b'].map((name) => ({ ...spec({}, levels), name }))
      const transportOf = scripted({})
      const naming = { separator: 'none' } as const
      await using bridge = await openBridge({
        ...permissive(servers),
        policy: levels.bridge ?? {},
        transportOf,
        naming,
      })
      return bridge.tools.length
    },
    { error: 0, suffix: 2, 'first-wins': 1 },
  ),
  'config.transport': {
    ...words(
      async ({ bridge }) => {
        const text = '{ "servers": { "a": { "url": "https://x.example" }, "b": { "command": "x" } } }'
        const { servers } = readConfig(text, { file: 'x.json', dialect: 'yaaf', policy: bridge ?? {} })
        return servers.map(({ name }) => name).join(' ')
      },
      { required: '', infer: 'a b', stdio: 'b' },
    ),
    isOfReading: true,
  },
  'config.both': {
    ...words(
      async ({ bridge }) => {
        const { servers } = readConfig(both, { file: 'x.json', dialect: 'mcp-servers', policy: bridge ?? {} })
        return servers[0]?.transport
      },
      { reject: undefined, 'prefer-url': 'http', 'by-type': 'http' },
    ),
    isOfReading: true,
  },
  'config.sources': {
    observe: async ({ bridge }) => {
      const configs = (['user', 'project'] as const).map((scope) => {
        const text = `{ "mcpServers": { "a": { "command": "${scope}" } } }`
        const file = `/${scope}/mcp.json`
        return { reading: readConfig(text, { file }), scope, file }
      })
      const { servers } = mergeConfigs(configs, bridge ?? {})
      return servers.map(({ scope }) => scope)
    },
    values: [
      [['user', 'project'], ['user']],
      [['project', 'user'], ['project']],
    ],
    isOfReading: true,
  },
  'vars.unset': words(resolved({ args: ['${env:GONE}x'] }, args), {
    empty: ['x'],
    keep: ['${env:GONE}x'],
    error: 'refused',
    drop: [],
  }),
  'vars.default': words(resolved({ args: ['${env:EMPTY:-d}'] }, args), { unset: [''], empty: ['d'] }),
  'vars.file': words(resolved({ args: ['${file:/gone}'] }, args), {
    error: 'refused',
    keep: ['${file:/gone}'],
  }),
  'vars.workspace': {
    observe: resolved({ source, args: ['${workspaceFolder}'] }, args),
    values: [
      [['.vscode'], ['/app']],
      [[], ['/w']],
    ],
  },
  'vars.paths': words(resolved({ args: ['${workspaceFolder}'] }, args, 'C:\\code'), {
    native: ['C:\\code'],
    slashes: ['C:/code'],
  }),
  'paths.base': words(
    resolved({ source }, ({ cwd }) => cwd),
    { workspace: '/w', 'config-folder': '/app/.vscode' },
  ),
  'env.inherit': words(
    resolved({}, ({ env, inheritEnv }) => [env['OTHER'], inheritEnv]),
    { safe: [undefined, undefined], all: ['x', 'none'], none: [undefined, 'none'] },
  ),
  'env.path': words(
    resolved({ env: { PATH: '/own' } }, ({ env }) => env['PATH']),
    { replace: '/own', append: '/bin:/own' },
  ),
  start: words(
    async (levels) => {
      await using bridge = await open(levels, { transportOf: scripted({ result: { content: [] } }) })
      const opened = bridge.status()[0]?.state
      const found = await bridge.findTool('a__echo')
      await bridge.retry('a')
      await bridge.call('a__echo')
      return [opened, found !== undefined, bridge.status()[0]?.state]
    },
    {
      eager: ['ready', true, 'ready'],
      lazy: ['stopped', true, 'ready'],
      'on-demand': ['stopped', false, 'ready'],
    },
  ),
  replace: words(
    async ({ preset, bridge: policy = {}, server }) => {
      const machine = new Machine()
      const more = { ...(preset && { preset }), ...(server && { policy: server }) }
      const define = (version: number) => machine.define('a', { version }, more)
      const { transportOf } = machine
      await using bridge = await openBridge({ ...permissive([define(1)]), policy, transportOf })
      await bridge.apply([define(2)])
      return machine.most
    },
    { 'start-first': 2, 'stop-first': 1 },
  ),
  onServerFailure: words(
    async (levels) => {
      try {
        await using bridge = await open(levels, {}, { command: '/gone/program' })
        return bridge.status()[0]?.state
      } catch {
        return 'not opened'
      }
    },
    { continue: 'failed', fail: 'not opened' },
  ),
  stop: {
    observe: async (levels) => (await runProbe(levels)).stopped,
    values: [
      [{ closeStdin: true, graceMs: 60_000, termMs: 60_000 }, 'closed'],
      [{ closeStdin: false, graceMs: 50, termMs: 60_000 }, 'terminated'],
    ],
  },
  // A server that ends: its error has the last lines of stderr.
  stderr: words(
    async (levels) =>
      (await runProbe({ ...levels, server: { ...levels.server, 'stdout.badLine': 'fail' } })).stderr,
    {
      inherit: { kept: ['a warning'], printed: ['a: a warning\n'] },
      capture: { kept: ['a warning'], printed: [] },
      discard: { kept: [], printed: [] },
    },
  ),
  'stdout.badLine': words(
    async (levels) => {
      const { state, codes } = await runProbe(levels)
      return [state === 'ready', (codes as string[]).includes('server_misbehaves')]
    },
    { drop: [true, false], count: [true, true], fail: [false, false] },
  ),
  'protocol.accept': words(
    async (levels) => {
      await using bridge = await open(levels, { transportOf: scripted({ version: '1999-01-01' }) })
      return bridge.status()[0]?.state
    },
    { known: 'failed', any: 'ready' },
  ),
  'protocol.version': {
    observe: async (levels) => {
      const seen: Record<string, unknown> = {}
      await using bridge = await open(levels, { transportOf: scripted({ seen }) })
      return [seen['protocolVersion'], bridge.tools.length]
    },
    values: [
      ['2025-03-26', ['2025-03-26', 1]],
      ['auto', ['2025-11-25', 1]],
    ],
  },
  elicitation: {
    observe: async (levels) => {
      const seen: Record<string, unknown> = {}
      const by = (who: string) => ({ ask: async () => ({ action: 'accept', content: { who } }) as const })
      const transportOf = scripted({ asks: true, seen })
      await using bridge = await open(levels, { transportOf, answerer: by('handler'), journal: () => {} })
      const { structuredContent } = await bridge.call('a__echo', {}, { answerer: by('route') })
      const { result } = structuredContent as { result?: { action: string; content?: { who: string } } }
      return ['elicitation' in (seen['capabilities'] as object), result?.content?.who ?? result?.action]
    },
    values: [
      [
        ['route', 'handler', 'decline'],
        [true, 'route'],
      ],
      [
        ['handler', 'route'],
        [true, 'handler'],
      ],
      [['decline'], [true, 'decline']],
      [['off'], [false, undefined]],
    ],
  },
  'result.text': words(
    shown({
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    }),
    {
      newline: 'a\nb',
      concat: 'ab',
    },
  ),
  'result.unknown': words(
    shown({
      content: [
        { type: 'text', text: 'a' },
        { type: 'odd', x: 1 },
      ],
    }),
    {
      json: expect.stringContaining('odd'),
      drop: 'a',
    },
  ),
  'result.media': words(shown(image), {
    parts: [expect.objectContaining({ type: 'image' })],
    json: expect.stringContaining('"data"'),
    placeholder: expect.not.stringContaining('"data"'),
  }),
  'result.structured': words(
    shown({ content: [{ type: 'text', text: 'a' }], structuredContent: { n: 'no' } }),
    { fallback: 'a', always: expect.stringContaining('"n"'), validate: expect.stringMatching(/^Tool error/) },
  ),
  'result.protocolError': words(
    async (levels) => {
      const error = { code: -32603, message: 'broken' }
      await using bridge = await open(levels, { transportOf: scripted({ error }) })
      return await bridge.call('a__echo').then(
        ({ isError }) => isError,
        () => 'thrown',
      )
    },
    { throw: 'thrown', result: true },
  ),
  'secrets.env': words(resolved({ args: ['${env:TOKEN}', '${env:GONE}'] }, args), {
    process: ['process', ''],
    store: ['store', 'store'],
    both: ['process', 'store'],
  }),
}

test('every policy has a behaviour', () => {
  expect(Object.keys(behaviours).toSorted()).toEqual(Object.keys(defaultPolicy).toSorted())
})

describe('a policy acts: a bridge overrides the dialect, a server overrides the bridge [D17] [D18] [D19] [D20] [D21] [D22] [D27]', () => {
  for (const [key, { observe, values, isOfReading }] of Object.entries<Case<unknown>>(behaviours)) {
    test.each(values)(`${key}: %j`, async (value, expected) => {
      const other = values.find(([each]) => each !== value)?.[0]
      const [set, unset] = [{ [key]: value }, { [key]: other }]
      expect(await observe({ preset: unset, bridge: set })).toEqual(expected)
      if (isOfReading) return
      expect(await observe({ preset: set })).toEqual(expected)
      expect(await observe({ bridge: unset, server: set })).toEqual(expected)
    })
  }
})
