import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Bridge,
  type BridgeTool,
  openBridge,
  readConfig,
  type ServerSpec,
  toText,
} from '@toolbridge/bridge'
import { agentTools } from '@toolbridge/bridge/agent-tool'
import { aiSdkTools } from '@toolbridge/bridge/ai-sdk'
import { anthropicTools } from '@toolbridge/bridge/anthropic'
import { googleTool } from '@toolbridge/bridge/google'
import { openaiChatTools, openaiResponsesTools } from '@toolbridge/bridge/openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProfileName } from '../../src/catalog/profiles/profile.ts'
import { profiles } from '../../src/catalog/profiles/profiles.ts'
import { dialects, type RealServer, realServers } from '../servers/real-servers.ts'
import { permissive } from '../servers/specs.ts'

let folder = ''
let bridge: Bridge
let servers: Readonly<Record<string, RealServer>> = {}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'real-servers-')))
  servers = realServers(folder)
  bridge = await openBridge(permissive(inAnotherDialectEach()))
})

afterAll(async () => {
  await bridge.close()
  await rm(folder, { recursive: true, force: true })
})

function read(dialect: string, entries: Readonly<Record<string, RealServer>>): readonly ServerSpec[] {
  const { file, write } = dialects[dialect] ?? { file: '', write: () => '' }
  const reading = readConfig(write(entries), { file: join(folder, file), dialect, kind: 'user' })
  expect(reading.issues.filter(({ severity }) => severity === 'error')).toEqual([])
  return reading.servers
}

/** Each server from the file of another host. */
function inAnotherDialectEach(): readonly ServerSpec[] {
  const names = Object.keys(dialects)
  return Object.entries(servers).flatMap(([name, server], index) =>
    read(names[index % names.length] ?? '', { [name]: server }),
  )
}

/** The tool of each server that is called. What it is called depends on the host whose file it came from. */
function tools(from: Bridge = bridge): readonly (readonly [BridgeTool, RealServer['call']])[] {
  return Object.entries(servers).map(([name, { call }]) => {
    const tool = from.tools.find(({ server, rawName }) => server === name && rawName === call.tool)
    if (tool === undefined) throw new Error(`${name} has no tool ${call.tool}`)
    return [tool, call]
  })
}

test('every server, each from the file of another host, is ready', () => {
  expect(bridge.status().map(({ name, state }) => `${name} ${state}`)).toEqual(
    Object.keys(servers)
      .toSorted()
      .map((name) => `${name} ready`),
  )
})

test.each(Object.keys(dialects))('all of them are read the same from the file of %s', (dialect) => {
  const shape = (specs: readonly ServerSpec[]): readonly unknown[] =>
    specs.map((spec) =>
      spec.transport === 'stdio' ? [spec.name, spec.command, spec.args, spec.env] : spec.name,
    )
  expect(shape(read(dialect, servers))).toEqual(shape(read('claude-code', servers)))
})

test.each(Object.keys(profiles) as ProfileName[])('every tool can be offered to models of %s', (profile) => {
  const { tools: offered, quarantined } = bridge.toolsFor(profile)
  expect(quarantined).toEqual([])
  expect(offered).toHaveLength(bridge.tools.length)
  for (const { tokens } of offered) expect(tokens).toBeGreaterThan(3)
})

test('a call reaches each server', async () => {
  for (const [{ name }, { args, answer }] of tools())
    expect(toText(await bridge.call(name, args))).toMatch(answer)
})

test('a call reaches each server through the AI SDK', async () => {
  const set = aiSdkTools(bridge)
  for (const [{ name }, { args, answer }] of tools()) {
    const output = await set[name]?.execute?.(args, { toolCallId: '1', messages: [] })
    const shown = await set[name]?.toModelOutput?.({ toolCallId: '1', input: args, output })
    expect(shown?.type === 'text' ? shown.value : shown).toMatch(answer)
  }
})

test('a call reaches each server through the APIs of OpenAI', async () => {
  const [responses, chat] = [openaiResponsesTools(bridge), openaiChatTools(bridge)]
  for (const [{ name }, { args, answer }] of tools()) {
    const call = { name, arguments: JSON.stringify(args) }
    const [item] = await responses.answer({ output: [{ type: 'function_call', call_id: '1', ...call }] })
    expect(item?.type === 'function_call_output' ? item.output : item).toMatch(answer)
    const [message] = await chat.answer({ tool_calls: [{ type: 'function', id: '1', function: call }] })
    expect(message?.role === 'tool' ? message.content : message).toMatch(answer)
  }
})

test('a call reaches each server through the API of Anthropic', async () => {
  const anthropic = anthropicTools(bridge)
  for (const [{ name }, { args, answer }] of tools()) {
    const block = { type: 'tool_use', id: '1', name, input: args, caller: { type: 'direct' } } as const
    const message = await anthropic.answer({ content: [block] })
    expect(message?.content).toMatchObject([
      { content: [{ type: 'text', text: expect.stringMatching(answer) }] },
    ])
    expect(message?.content[0]?.is_error).toBeUndefined()
  }
})

test('a call reaches each server through the API of Google', async () => {
  const google = googleTool(bridge)
  for (const [tool, { args, answer }] of tools()) {
    const name = bridge.toolsFor('google').tools.find((shown) => shown.tool === tool)?.name
    expect(await google.callTool([{ id: '1', ...(name === undefined ? {} : { name }), args }])).toMatchObject(
      [{ functionResponse: { response: { output: expect.stringMatching(answer) } } }],
    )
  }
})

test('a call reaches each server through plain agent tools', async () => {
  const all = new Map(agentTools(bridge).map((tool) => [tool.name, tool]))
  for (const [{ name }, { args, answer }] of tools())
    expect(await all.get(name)?.execute(args)).toMatch(answer)
})

test('a picture of a real server is a picture for the model', async () => {
  const anthropic = anthropicTools(bridge)
  const call = {
    type: 'tool_use',
    id: '1',
    name: 'everything__get_tiny_image',
    input: {},
    caller: { type: 'direct' },
  } as const
  const message = await anthropic.answer({ content: [call] })
  expect(message?.content).toMatchObject([
    { content: expect.arrayContaining([expect.objectContaining({ type: 'image' })]) },
  ])
})

// Each dialect starts every server again, which takes long on a small machine.
test.skipIf(process.env['TOOLBRIDGE_LONG'] === undefined).each(Object.keys(dialects))(
  'every server starts and answers as the file of %s says',
  async (dialect) => {
    await using other = await openBridge(permissive(read(dialect, servers)))
    for (const [{ name }, { args, answer }] of tools(other))
      expect(toText(await other.call(name, args))).toMatch(answer)
  },
)
