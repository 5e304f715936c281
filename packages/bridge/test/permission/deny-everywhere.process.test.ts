import {
  type Bridge,
  type BridgeEvent,
  type BridgeOptions,
  openBridge,
  type PermissionRules,
  toText,
} from '@toolbridge/bridge'
import type { NamingPolicy } from '@toolbridge/bridge/catalog'
import { withExecutionContext } from '@toolbridge/bridge/context'
import { agentTools } from '@toolbridge/bridge/agent-tool'
import { aiSdkTools } from '@toolbridge/bridge/ai-sdk'
import { anthropicTools } from '@toolbridge/bridge/anthropic'
import { googleTool } from '@toolbridge/bridge/google'
import { openaiChatTools, openaiResponsesTools } from '@toolbridge/bridge/openai'
import { describe, expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { permissive, plainServer } from '../servers/specs.ts'
import { callTool, createTestWorkflows, plainToolkit, session } from '../servers/workflows.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Every way in which a program or a model can have a tool called. */
const ways: Readonly<Record<string, (bridge: Bridge, tool: string, args: Arguments) => Promise<unknown>>> = {
  'by its name': (bridge, tool, args) => bridge.call(tool, args),
  'by its address': (bridge, _tool, args) => bridge.call('mcp://hello/hello', args),
  'by an agent loop': (bridge, tool, args) => agentTool(bridge, tool).execute(args),
  'by search': (bridge, tool, args) =>
    agentTool(bridge, 'call_tool', { search: {} }).execute({ name: tool, arguments: args }),
  'by search and its address': (bridge, _tool, args) =>
    agentTool(bridge, 'call_tool', { search: {} }).execute({ name: 'mcp://hello/hello', arguments: args }),
  'by the AI SDK': async (bridge, tool, args) =>
    aiSdkTools(bridge)[tool]?.execute?.(args, { toolCallId: '1', messages: [] }),
  'by the Responses API': (bridge, name, args) =>
    openaiResponsesTools(bridge).answer({
      output: [{ type: 'function_call', call_id: '1', name, arguments: JSON.stringify(args) }],
    }),
  'by the Chat Completions API': (bridge, name, args) =>
    openaiChatTools(bridge).answer({
      tool_calls: [{ id: '1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    }),
  'by the Messages API': (bridge, name, args) =>
    anthropicTools(bridge).answer({
      content: [{ type: 'tool_use', id: '1', name, input: args, caller: { type: 'direct' } }],
    }),
  'by the Gen AI SDK': (bridge, name, args) =>
    googleTool(bridge).callTool([{ name: googleName(bridge, name), args: { ...args } }]),
}

function agentTool(
  bridge: Bridge,
  name: string,
  options?: Parameters<typeof agentTools>[1],
): ReturnType<typeof agentTools>[number] {
  const tool = agentTools(bridge, options).find((each) => each.name === name)
  if (tool === undefined) throw new Error(`there is no tool ${name}`)
  return tool
}

/** Google accepts no hyphens. */
function googleName(bridge: Bridge, name: string): string {
  return bridge.toolsFor('google').tools.find(({ tool }) => tool.name === name)?.name ?? name
}

const namings: readonly Partial<NamingPolicy>[] = [
  {},
  { separator: '-', sanitize: 'kebab' },
  { separator: '_' },
  { separator: 'none' },
]

describe.each(namings)('with names made by %j', (naming) => {
  test('a call that a rule denies reaches the server by no way, and another by every way [S1-5] [S1-26]', async () => {
    const outcomes: string[] = []
    await using bridge = await openBridge({
      ...permissive([inMemory('hello')]),
      naming,
      permissions: { mode: 'yolo', deny: ['mcp:hello__hello(name=eve*)'], allow: ['mcp:*'] },
      journal: (event) => void (event.type === 'call.finished' && outcomes.push(event.outcome)),
    })
    const name = bridge.tool('mcp://hello/hello')?.name ?? ''
    for (const way of Object.values(ways)) {
      await way(bridge, name, { name: 'Eve Adams' }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'denied' })
      })
      await way(bridge, name, { name: 'Ada' })
    }
    expect(outcomes).toEqual(Object.keys(ways).flatMap(() => ['denied', 'ok']))
  })
})

test('a tool of a toolkit that travels in an execution context is denied like any other', async () => {
  const mcp = createTestWorkflows({
    clientOptions: () => ({ permissions: { mode: 'yolo', deny: ['mcp://a/echo(text=eve*)'] } }),
  })
  const context = { principal: session('ada'), mcp: { toolkits: { a: plainToolkit('says') } } }
  await withExecutionContext(context, async () => {
    const tools = await mcp.setupMCPForNode(['a'], 'w')
    expect(await callTool(tools, 'echo', { text: 'ada' })).toBe('says ada')
    await expect(callTool(tools, 'echo', { text: 'eve' })).rejects.toMatchObject({ code: 'denied' })
  })
  await mcp.close()
})

test('a server that is disabled is started by nobody, whatever is wanted of it', async () => {
  await using bridge = await openBridge(permissive([{ ...plainServer('a'), enabled: false }]))
  const disabled = { code: 'denied', message: 'server "a" is disabled; enable it in test' }
  await expect(bridge.resources.read('a', 'memo://a')).rejects.toMatchObject(disabled)
  const origin = { principal: 'bob', conversation: 'x' }
  await expect(bridge.prompts.get('a', 'review', {}, { origin })).rejects.toMatchObject(disabled)
  await expect(bridge.call('mcp://a/echo')).rejects.toMatchObject({ code: 'unknown_tool' })
  await bridge.retry('a')
  expect(bridge.processes()).toEqual([])
  expect(bridge.status()).toMatchObject([{ state: 'disabled', toolCount: 0 }])
})

describe('what is no tool', () => {
  const denied = { code: 'denied' }

  function offers(permissions: PermissionRules): BridgeOptions {
    return { ...permissive([plainServer('a')]), permissions }
  }

  test('is open unless a rule says otherwise, whatever the mode [C28]', async () => {
    await using bridge = await openBridge(offers({ mode: 'ask' }))
    await bridge.resources.read('a', 'memo://a')
    await bridge.prompts.get('a', 'review')
  })

  test('is denied by its address', async () => {
    await using bridge = await openBridge(
      offers({ mode: 'yolo', deny: ['resource://a/memo://b*', 'prompt:a'], allow: ['resource:*'] }),
    )
    await bridge.resources.read('a', 'memo://a')
    await expect(bridge.resources.read('a', 'memo://b')).rejects.toMatchObject(denied)
    await expect(bridge.prompts.get('a', 'review')).rejects.toMatchObject(denied)
    const completion = {
      ref: { type: 'ref/prompt', name: 'review' },
      argument: { name: 'title', value: 'e' },
    } as const
    await expect(bridge.prompts.complete('a', completion)).rejects.toMatchObject(denied)
  })

  test.each([
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    'file:/etc/passwd',
    'file://localhost/etc/passwd',
    'file:///tmp/../etc/passwd',
    'file:///%65tc/passwd',
    'file:///tmp/%2e%2e/etc/passwd',
    'file:///proc/self/root/etc/passwd',
    'file:////etc//passwd',
    'https://Wiki.Example/private/a',
    'https:wiki.example/private/a',
    'https://wiki.example/open/../private/a',
    'https://wiki.example/%70rivate/a',
    'https://me@wiki.example:443/private/a',
  ])('is denied however its address is written: %s', async (uri) => {
    const rules = { deny: ['resource://a/file:///etc/*', 'resource://A/https://wiki.example/private/*'] }
    await using bridge = await openBridge({ ...offers(rules), servers: [] })
    await bridge.apply([{ ...plainServer('a'), start: 'lazy' }])
    await expect(bridge.resources.read('a', uri)).rejects.toMatchObject(denied)
    expect(bridge.processes()).toEqual([])
  })

  test('is asked about once, or for the rest of the session', async () => {
    const asked: string[] = []
    await using bridge = await openBridge({
      ...offers({ mode: 'allow', ask: ['resource:a', 'prompt://a/review(tone=rude)'] }),
      answerer: {
        ask: async (question) => {
          asked.push(question.message)
          return { action: 'accept', decision: 'session' }
        },
      },
    })
    await bridge.resources.read('a', 'memo://a')
    await bridge.resources.read('a', 'memo://a')
    await bridge.resources.read('a', 'memo://b')
    await bridge.prompts.get('a', 'review', { tone: 'kind' })
    await bridge.prompts.get('a', 'review', { tone: 'rude' })
    expect(asked).toEqual([
      'Allow resource://a/memo://a?',
      'Allow resource://a/memo://b?',
      'Allow prompt://a/review?',
    ])
  })

  test('is asked about again when the definition of its server is another one', async () => {
    let count = 0
    await using bridge = await openBridge({
      ...offers({ ask: ['resource:a'] }),
      approver: {
        ask: async () => {
          count += 1
          return { action: 'accept', decision: 'session' }
        },
      },
    })
    await bridge.resources.read('a', 'memo://a')
    await bridge.resources.read('a', 'memo://a')
    expect(count).toBe(1)
    await bridge.apply([plainServer('a', { OTHER: 'definition' })])
    await bridge.resources.read('a', 'memo://a')
    expect(count).toBe(2)
  })

  test('cannot be asked about where there is nobody', async () => {
    await using bridge = await openBridge(offers({ ask: ['resource:a'] }))
    await expect(bridge.resources.read('a', 'memo://a')).rejects.toMatchObject({ code: 'no_answerer' })
  })

  test('may be a question: a server that a rule keeps from asking is declined, and told apart', async () => {
    const events: BridgeEvent[] = []
    await using bridge = await openBridge({
      ...permissive([inMemory('elicit')]),
      permissions: { mode: 'allow', deny: ['elicitation://elicit/form'] },
      journal: (event) => void events.push(event),
      answerer: { ask: () => Promise.reject(new Error('nobody may be asked')) },
    })
    expect(toText(await bridge.call('elicit__whoami_slow', { delayMs: 1 }))).toBeTypeOf('string')
    expect(events).toContainEqual(expect.objectContaining({ type: 'diagnostic', code: 'question_denied' }))
  })
})
