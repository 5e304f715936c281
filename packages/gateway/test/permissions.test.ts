import {
  type DescribeRulesResponse,
  type DryRunResponse,
  type GrantsResponse,
  type OwnRules,
  paths,
  type PinsResponse,
  type Problem,
  type TestPermissionResponse,
} from '@toolbridge/api'
import type { PermissionRules } from '@toolbridge/bridge'
import { expect, test, vi } from 'vitest'
import { linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import { scriptedInMemory } from '../../bridge/test/servers/scripted-in-memory.ts'
import { fickle } from './support/fickle-server.ts'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, savedInMemory } from './support/specs.ts'
import { textOf, untilAsked, untilHang, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

interface Opened extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly person: Caller
  /** What the tool `told` says about itself. */
  readonly description: { text: string }
}

let people = 0

/** A gateway of a new person with a server `hello` and one whose tool `told` can change. */
async function open(permissions: PermissionRules): Promise<Opened> {
  const name = `person-${(people += 1)}`
  const description = { text: 'as approved' }
  const gateway = createTestGateway({
    lockbox,
    permissions,
    principals: [name],
    transportOf: (spec) =>
      spec.transport === 'stdio' && spec.command === 'fickle' ? fickle(description) : linkInMemory(spec),
  })
  const person = gateway.as(name)
  await person.post(paths.config, {
    mcpServers: { hello: savedInMemory('hello'), fickle: { command: 'fickle' } },
  })
  await untilServer(person, 'hello', 'ready')
  await untilServer(person, 'fickle', 'ready')
  return { gateway, person, description, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() }
}

const hello = { tool: 'hello__hello', arguments: { name: 'Ada' } }

async function saveRules(person: Caller, rules: OwnRules): Promise<void> {
  expect((await person.put(paths.permissions, { rules })).status).toBe(200)
}

async function verdictOf(person: Caller, rules?: OwnRules): Promise<string> {
  const body = { ...hello, ...(rules === undefined ? {} : { rules }) }
  const { verdict }: TestPermissionResponse = await (await person.post(paths.testPermission, body)).json()
  return verdict
}

async function codeOf(response: Response): Promise<string> {
  const { code, status }: Problem = await response.json()
  return `${status} ${code}`
}

test('own rules are saved as versions, returned and applied to the next call', async () => {
  await using opened = await open({ mode: 'allow' })
  const { person } = opened
  expect(await (await person.get(paths.permissions)).json()).toEqual({ rules: {}, gatewayMode: 'allow' })
  expect(await textOf(await person.post(paths.call, hello))).toBe('Hello, Ada!')
  const rules = { deny: [{ match: 'mcp://hello/*', arguments: { '/name': 'A*' } }] }
  expect(await (await person.put(paths.permissions, { rules, version: 0 })).json()).toMatchObject({
    version: 1,
  })
  expect(await (await person.get(paths.permissions)).json()).toMatchObject({ rules, version: 1 })
  expect(await codeOf(await person.post(paths.call, hello))).toBe('403 denied')
  expect(await textOf(await person.post(paths.call, { tool: 'hello__hello' }))).toBe('Hello, world!')
  expect(await codeOf(await person.put(paths.permissions, { rules: {}, version: 0 }))).toBe(
    '409 version_conflict',
  )
})

test('own rules apply to workflows and survive a restart of the gateway', async () => {
  await using opened = await open({ mode: 'allow' })
  await saveRules(opened.person, { deny: ['mcp://hello/*'] })
  const workflow = { workflowId: 'w', nodes: [{ kind: 'tool', id: '1', tool: 'hello__hello' }] }
  expect(await (await opened.person.post(paths.invoke, workflow)).json()).toMatchObject({
    nodes: [{ status: 'failed', code: 'denied' }],
  })
  await using again = createTestGateway({ lockbox, principals: [`person-${people}`] })
  const person = again.as(`person-${people}`)
  await untilServer(person, 'hello', 'ready')
  expect(await codeOf(await person.post(paths.call, hello))).toBe('403 denied')
})

test('rules that are tested give the verdict that they have once they are saved', async () => {
  await using opened = await open({ mode: 'ask' })
  const own = { allow: ['mcp://hello/*'] }
  expect(await verdictOf(opened.person)).toBe('ask')
  expect(await verdictOf(opened.person, own)).toBe('allow')
  await saveRules(opened.person, own)
  expect(await verdictOf(opened.person)).toBe('allow')
})

test('new rules of the gateway keep the own ones', async () => {
  await using opened = await open({ mode: 'allow' })
  await saveRules(opened.person, { deny: ['mcp://hello/*'] })
  await opened.gateway.services.applyPermissions({ mode: 'yolo' })
  expect(await codeOf(await opened.person.post(paths.call, hello))).toBe('403 denied')
})

test('invalid rules are refused with their position, and change nothing', async () => {
  await using opened = await open({ mode: 'allow' })
  const { person } = opened
  const rules = { deny: ['hello'] }
  for (const response of [
    await person.put(paths.permissions, { rules }),
    await person.post(paths.dryRun, { rules }),
    await person.post(paths.testPermission, { ...hello, rules }),
  ]) {
    const problem: Problem = await response.json()
    expect(problem).toMatchObject({
      status: 422,
      code: 'config_invalid',
      issues: [{ path: '/rules/deny/0' }],
    })
  }
  expect((await opened.person.put(paths.permissions, { rules: { mode: 'yolo' } })).status).toBe(422)
  expect(await (await opened.person.get(paths.permissions)).json()).toMatchObject({ rules: {} })
})

test('a test of a call says what was considered and whose rule it is, and makes no call', async () => {
  await using opened = await open({
    mode: 'allow',
    ask: ['mcp://hello/*'],
    deny: [{ match: 'mcp:*', principal: 'eve' }],
  })
  const body = { ...hello, rules: { deny: ['mcp://hello/hello(name=A*)'] } }
  const tested: TestPermissionResponse = await (await opened.person.post(paths.testPermission, body)).json()
  expect(tested).toMatchObject({
    tool: { name: 'hello__hello', server: 'hello', rawName: 'hello' },
    verdict: 'deny',
    isGranted: false,
  })
  const shown = tested.steps.map(({ source, kind, decides }) => `${source} ${kind} ${decides}`)
  expect(shown).toContain('own deny true')
  expect(shown).toContain('gateway ask false')
  expect(JSON.stringify(tested)).not.toContain('eve')
  expect((await (await opened.person.get(paths.activity)).json()).entries).toEqual([])
  const unknown = await opened.person.post(paths.testPermission, { tool: 'nothing__there' })
  expect(await codeOf(unknown)).toBe('404 unknown_tool')
})

test('a dry run names the past calls that rules would decide differently', async () => {
  await using opened = await open({ mode: 'allow' })
  const { person } = opened
  await person.post(paths.call, hello)
  await person.post(paths.call, { tool: 'hello__hello', arguments: { name: 'Bob' } })
  await vi.waitFor(async () => {
    const { entries } = await (await person.get(paths.activity)).json()
    expect(entries).toHaveLength(2)
  }, untilHang)
  const rules = { deny: ['mcp://hello/hello(name=A*)'] }
  const run: DryRunResponse = await (await person.post(paths.dryRun, { rules })).json()
  expect(run).toMatchObject({
    changes: [{ tool: 'hello__hello', server: 'hello', before: 'allow', after: 'deny' }],
    unchangedCount: 1,
  })
  expect(await (await person.post(paths.dryRun, { rules: {} })).json()).toEqual({
    changes: [],
    unchangedCount: 2,
  })
})

test('a permanent approval is listed, and asked about again once it is revoked', async () => {
  await using opened = await open({ mode: 'ask' })
  const { person } = opened
  const workflow = { workflowId: 'w', nodes: [{ kind: 'tool', id: '1', ...hello }] }
  const first = person.post(paths.invoke, workflow)
  await person.post(paths.answer((await untilAsked(person)).id), { action: 'accept', decision: 'always' })
  await first
  const { grants }: GrantsResponse = await (await person.get(paths.grants)).json()
  expect(grants).toEqual([{ id: expect.any(String), server: 'hello', tool: 'hello', asks: ['mode ask'] }])
  expect((await person.post(paths.invoke, workflow)).status).toBe(200)
  const id = grants[0]?.id ?? ''
  expect((await person.delete(paths.grant(id))).status).toBe(200)
  expect(await codeOf(await person.delete(paths.grant(id)))).toBe('404 unknown_grant')
  const second = person.post(paths.invoke, workflow)
  await person.post(paths.answer((await untilAsked(person)).id), { action: 'decline' })
  expect(await (await second).json()).toMatchObject({ nodes: [{ code: 'approval_refused' }] })
})

test('a changed tool is listed with its difference, and can be approved as it is now or forgotten', async () => {
  await using opened = await open({ mode: 'allow', allow: ['mcp://fickle/*'] })
  const { person, description } = opened
  const pinsOf = async (): Promise<PinsResponse['pins']> => (await (await person.get(paths.pins)).json()).pins
  expect(await pinsOf()).toEqual([])
  await person.post(paths.call, { tool: 'fickle__told' })
  const commons = { tool: 'fickle__told', server: 'fickle', rawName: 'told' }
  expect(await pinsOf()).toEqual([{ ...commons, state: 'unchanged' }])
  description.text = 'something else'
  await person.post(paths.restart('fickle'), {})
  await vi.waitFor(
    async () => expect(await pinsOf()).toMatchObject([{ ...commons, state: 'changed' }]),
    untilHang,
  )
  const [changed] = await pinsOf()
  expect(changed?.change).toContain('- description: as approved')
  expect(changed?.change).toContain('+ description: something else')
  expect((await person.post(paths.acceptPin('fickle__told'), {})).status).toBe(200)
  expect(await pinsOf()).toMatchObject([{ state: 'unchanged' }])
  expect(await textOf(await person.post(paths.call, { tool: 'fickle__told' }))).toBe('done')
  expect((await person.delete(paths.pin('fickle__told'))).status).toBe(200)
  expect(await pinsOf()).toEqual([])
  expect(await codeOf(await person.delete(paths.pin('fickle__told')))).toBe('404 unknown_pin')
  expect(await codeOf(await person.post(paths.acceptPin('nothing'), {}))).toBe('404 unknown_tool')
})

test('a rule that covers many tools is explained with their number and the names of some', async () => {
  const tools = Array.from({ length: 30 }, (_, index) => ({
    name: `tool${index}`,
    inputSchema: { type: 'object' } as const,
  }))
  await using gateway = createTestGateway({
    lockbox,
    operatorServers: [inMemory('hello', 'many')],
    transportOf: scriptedInMemory(tools, () => ({ content: [] })),
  })
  const local = gateway.as('local')
  await untilServer(local, 'many', 'ready')
  const response = await local.post(paths.describePermissions, { rules: { deny: ['mcp:*'] } })
  const described: DescribeRulesResponse = await response.json()
  expect(described.rules.map((rule) => [rule.tools.length, rule.toolCount])).toEqual([[20, 30]])
})

test('rules are explained with the tools of the caller that they cover, and invalid ones with their place', async () => {
  await using opened = await open({ mode: 'ask' })
  const rules: OwnRules = {
    mode: 'allow',
    ask: ['mcp://fickle/*'],
    deny: ['mcp:hello__*(name=Bob)', 'mcp://nobody/*'],
  }
  const response = await opened.person.post(paths.describePermissions, { rules })
  const described: DescribeRulesResponse = await response.json()
  expect(described.rules).toEqual([
    {
      kind: 'ask',
      index: 0,
      sentence: 'Asks before calls of every tool of fickle.',
      tools: ['fickle__told'],
      toolCount: 1,
      dependsOnArguments: false,
    },
    {
      kind: 'deny',
      index: 0,
      sentence: 'Denies calls of the tools named hello__* where name matches Bob.',
      tools: expect.arrayContaining(['hello__hello']),
      toolCount: expect.any(Number),
      dependsOnArguments: true,
    },
    expect.objectContaining({ kind: 'deny', index: 1, tools: [] }),
  ])
  const invalid = await opened.person.post(paths.describePermissions, {
    rules: { deny: ['mcp:ok', 'tools:x'] },
  })
  const { status, issues }: Problem = await invalid.json()
  expect([status, issues?.map(({ path }) => path)]).toEqual([422, ['/rules/deny/1']])
})
