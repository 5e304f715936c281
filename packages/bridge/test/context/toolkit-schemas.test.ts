import { readConfig } from '@toolbridge/bridge'
import {
  ExecutionMCPContextSchema,
  MCPToolkitMapSchema,
  MCPToolkitSchema,
  type StandardSchema,
} from '@toolbridge/bridge/context'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'

/** What a library does with a Standard Schema. */
function validate<T>(schema: StandardSchema<unknown, T>, value: unknown): unknown {
  const { version, vendor, validate: run } = schema['~standard']
  expect([version, vendor]).toEqual([1, 'toolbridge'])
  return run(value)
}

const golden = {
  transport: { kind: 'stdio', spec: { command: 'npx', args: ['-y', 'tavily-mcp'], env: { KEY: 'k' } } },
  tools: [{ name: 'search', inputSchema: { type: 'object' } }],
}

test('the contract of toolkits is exported as schemas [S2-24] [S2-6] [S2-20]', () => {
  expect(validate(MCPToolkitSchema, golden)).toEqual({ value: golden })
  expect(validate(MCPToolkitMapSchema, { tavily: golden })).toEqual({ value: { tavily: golden } })
  const context = { toolkits: { tavily: golden } }
  expect(validate(ExecutionMCPContextSchema, context)).toEqual({ value: context })
})

test('a schema writes every form of a toolkit in one way [S2-21] [S2-63]', () => {
  const { command, args } = golden.transport.spec
  const value = { transportSpec: { command, args, env: { KEY: 1 } } }
  const { transport } = golden
  expect(validate(MCPToolkitSchema, value)).toEqual({
    value: { transport: { ...transport, spec: { command, args, env: { KEY: '1' } } } },
  })
})

test('a server definition is a toolkit with all its settings, and a copy of it', () => {
  const [spec] = readConfig('{"mcpServers":{"a":{"command":"npx","timeout":5}}}', { file: 'x' }).servers
  const toolkit = { transport: { kind: 'definition', spec } }
  const validated = validate(MCPToolkitSchema, toolkit)
  expect(validated).toEqual({ value: toolkit })
  expect((validated as { value: typeof toolkit }).value.transport.spec).not.toBe(spec)
  for (const wrong of [undefined, {}, { ...spec, command: 1 }, { ...spec, transport: 'smoke' }])
    expect(validate(MCPToolkitSchema, { transport: { kind: 'definition', spec: wrong } })).toHaveProperty(
      'issues',
    )
})

test('a schema reports every issue with its path, and no value [S2-61]', () => {
  const toolkits = {
    'a/b': { transportSpec: { args: [] } },
    c: { transport: { kind: 'smoke', spec: canary('spec') } },
  }
  expect(validate(ExecutionMCPContextSchema, { toolkits, extra: 1 })).toEqual({
    issues: [
      { path: ['extra'], message: 'is not a field that is known here' },
      { path: ['toolkits', 'a/b', 'transportSpec', 'command'], message: 'must be a string' },
      { path: ['toolkits', 'c', 'transport', 'kind'], message: expect.stringContaining('must be "stdio"') },
    ],
  })
})

test.each([
  ['no context', ExecutionMCPContextSchema, undefined],
  ['a text', MCPToolkitSchema, 'npx'],
  ['a list', MCPToolkitMapSchema, []],
] as const)('%s is refused [S2-24]', (_, schema, value) => {
  expect(validate<unknown>(schema, value)).toMatchObject({ issues: [{ message: 'must be an object' }] })
})
