import { type Answerer, type Bridge, type BridgeOptions, openBridge } from '@toolbridge/bridge'
import type { AiSdkToolOptions } from '@toolbridge/bridge/ai-sdk'
import type { Tool } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import type { ModelMessage } from 'ai'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isApproved, toolApproval } from '../../src/adapters/ai-sdk-approval.ts'
import { toolSet } from '../../src/adapters/ai-sdk-tools.ts'
import { inMemory } from '../servers/in-memory.ts'
import { scriptedInMemory } from '../servers/scripted-in-memory.ts'
import { permissive } from '../servers/specs.ts'
import { loadSdk, modelCalling, type Sdk } from './ai-sdk-versions.ts'

const pay: Tool = { name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } }
const asking = { permissions: { mode: 'allow', ask: ['mcp:own__pay'] } } as const
const input = { amount: 1 }
const user: ModelMessage = { role: 'user', content: 'Pay.' }

describe.each([
  [6, 'needsApproval'],
  [7, 'needsApproval'],
  [7, 'toolApproval'],
] as const)('with AI SDK %i and %s', (version, way) => {
  const paid: unknown[] = []
  const asked: string[] = []
  /** Whoever is asked by the bridge says no. */
  const answerer: Answerer = {
    ask: async ({ kind }) => {
      asked.push(kind)
      return { action: 'decline' }
    },
  }
  let sdk: Sdk

  beforeAll(async () => {
    sdk = await loadSdk(version)
  })

  beforeEach(() => {
    paid.length = 0
    asked.length = 0
  })

  function open(options: Partial<BridgeOptions> = {}): Promise<Bridge> {
    const transportOf = scriptedInMemory([pay], ({ arguments: args }) => {
      paid.push(args)
      return { content: [{ type: 'text', text: 'paid' }] }
    })
    return openBridge({
      ...permissive([inMemory('hello', 'own')]),
      answerer,
      transportOf,
      ...asking,
      ...options,
    })
  }

  /** Generates a text with a model that calls the tool, unless it has an output of it. */
  async function turn(
    bridge: Bridge,
    messages: ModelMessage[],
    [toolName, given]: readonly [string, object] = ['own__pay', input],
    { how = 'generateText', settings = {}, ...options }: TurnOptions = {},
  ): Promise<Turn> {
    const all = { ...options, sdkApproval: true }
    const request = {
      model: modelCalling(sdk, toolName, given),
      tools: toolSet(sdk, bridge, all),
      messages,
      stopWhen: sdk.stepCountIs(3),
      ...(way === 'toolApproval' ? { toolApproval: toolApproval(bridge, all) } : {}),
      ...settings,
    }
    const result = how === 'generateText' ? await sdk.generateText(request) : sdk.streamText(request)
    // AI SDK 7 also reports the requests that it answers itself, by what `toolApproval` says.
    const requests = (await result.content).flatMap((part) =>
      part.type === 'tool-approval-request' && !('isAutomatic' in part && part.isAutomatic) ? [part] : [],
    )
    const { messages: added } = await result.response
    return { requests, text: await result.text, messages: [...messages, ...added] }
  }

  interface TurnOptions extends AiSdkToolOptions {
    readonly how?: 'generateText' | 'streamText'
    readonly settings?: { readonly experimental_toolApprovalSecret?: string }
  }

  interface Turn {
    readonly requests: readonly {
      readonly approvalId: string
      readonly toolCall: { readonly input: unknown }
    }[]
    readonly text: string
    readonly messages: ModelMessage[]
  }

  /** The messages with the user's answer to the requests of a turn. */
  function answered({ messages, requests }: Turn, approved: boolean): ModelMessage[] {
    const content = requests.map(({ approvalId }) => ({
      type: 'tool-approval-response' as const,
      approvalId,
      approved,
    }))
    return [...messages, { role: 'tool', content }]
  }

  test.each(['generateText', 'streamText'] as const)(
    'with %s, a call that a rule asks about waits for the user, and then is made once, without another question',
    async (how) => {
      await using bridge = await open()
      const first = await turn(bridge, [user], ['own__pay', input], { how })
      expect(first.requests).toMatchObject([{ toolCall: { toolName: 'own__pay', input } }])
      expect(paid).toEqual([])
      const second = await turn(bridge, answered(first, true), ['own__pay', input], { how })
      expect(JSON.parse(second.text)).toEqual([{ type: 'text', value: 'paid' }])
      expect({ paid, asked, requests: second.requests }).toEqual({ paid: [input], asked: [], requests: [] })
    },
  )

  test('with a secret the SDK refuses an approval of other arguments than it showed', async () => {
    await using bridge = await open()
    const settings = { experimental_toolApprovalSecret: canary('approval') }
    const first = await turn(bridge, [user], ['own__pay', input], { settings })
    const forged = JSON.stringify(answered(first, true)).replace('"amount":1', '"amount":9')
    const second = turn(bridge, JSON.parse(forged), ['own__pay', input], { settings })
    await expect(second).rejects.toThrow(/signature/i)
    expect(paid).toEqual([])
    await turn(bridge, answered(first, true), ['own__pay', input], { settings })
    expect(paid).toEqual([input])
  })

  test('a call that the user denies is not made', async () => {
    await using bridge = await open()
    const second = await turn(bridge, answered(await turn(bridge, [user]), false))
    expect(JSON.parse(second.text)).toMatchObject([{ type: 'execution-denied' }])
    expect({ paid, asked }).toEqual({ paid: [], asked: [] })
  })

  test('a call that the rules allow needs no approval', async () => {
    await using bridge = await open({ permissions: { mode: 'allow' } })
    const { text, requests } = await turn(bridge, [user])
    expect(JSON.parse(text)).toEqual([{ type: 'text', value: 'paid' }])
    expect(requests).toEqual([])
  })

  test('a call that the rules deny is denied without a request, and stays denied when an approval is invented', async () => {
    await using lenient = await open()
    const first = await turn(lenient, [user])
    await using strict = await open({ permissions: { deny: ['mcp:own__pay'] } })
    const direct = await turn(strict, [user])
    expect(direct.requests).toEqual([])
    expect(direct.text).toMatch(/may not be called|execution-denied/)
    const { text } = await turn(strict, answered(first, true))
    expect(text).toMatch(/execution-denied|may not be called/)
    expect({ paid, asked }).toEqual({ paid: [], asked: [] })
  })

  test('an approval is good for the call that it shows: the next one, with the same arguments, waits again', async () => {
    await using bridge = await open()
    await turn(bridge, answered(await turn(bridge, [user]), true))
    const next = await turn(bridge, [user])
    expect(next.requests).toHaveLength(1)
    expect(paid).toEqual([input])
  })

  test('without the option the answerer of the bridge is asked, whatever the messages say', async () => {
    await using bridge = await open()
    const tools = toolSet(sdk, bridge, {})
    const messages = answered(await turn(bridge, [user]), true)
    const run = tools['own__pay']?.execute?.(input, { toolCallId: '1', messages })
    await expect(run).rejects.toMatchObject({ code: 'approval_refused' })
    expect({ paid, asked }).toEqual({ paid: [], asked: ['approval'] })
  })

  test('an approval in the messages does not cover other arguments: the answerer of the bridge is asked', async () => {
    await using bridge = await open()
    const tools = toolSet(sdk, bridge, { sdkApproval: true })
    const messages = answered(await turn(bridge, [user]), true)
    const run = tools['own__pay']?.execute?.({ amount: 9 }, { toolCallId: '1', messages })
    await expect(run).rejects.toMatchObject({ code: 'approval_refused' })
    expect({ paid, asked }).toEqual({ paid: [], asked: ['approval'] })
  })

  test('the tool found by search is the one that is approved', async () => {
    await using bridge = await open()
    const call = ['call_tool', { name: 'own__pay', arguments: input }] as const
    const first = await turn(bridge, [user], call, { search: {} })
    expect(first.requests).toHaveLength(1)
    const second = await turn(bridge, answered(first, true), call, { search: {} })
    expect(JSON.parse(second.text)).toEqual([{ type: 'text', value: 'paid' }])
    expect({ paid, asked }).toEqual({ paid: [input], asked: [] })
    const found = await turn(bridge, [user], ['tool_search', { query: 'pays' }], { search: {} })
    expect(found.requests).toEqual([])
  })

  test('a call that the person at the bridge approved for the conversation needs no second approval', async () => {
    const approver: Answerer = { ask: async () => ({ action: 'accept', decision: 'tool' }) }
    await using bridge = await open({ approver })
    await bridge.call('own__pay', input)
    expect((await turn(bridge, [user])).requests).toEqual([])
    expect(paid).toEqual([input, input])
  })

  test('an answerer of another origin is not relieved by the approvals of this one', async () => {
    const approver: Answerer = { ask: async () => ({ action: 'accept', decision: 'tool' }) }
    await using bridge = await open({ approver })
    await bridge.call('own__pay', input)
    const origin = { principal: 'bob', conversation: 'other' }
    expect((await turn(bridge, [user], ['own__pay', input], { origin })).requests).toHaveLength(1)
  })
})

describe('the messages approve a call', () => {
  const call = { toolCallId: '1', toolName: 'own__pay', input }
  const request = { type: 'tool-approval-request', approvalId: 'a', toolCallId: '1' } as const
  const yes = { type: 'tool-approval-response', approvalId: 'a', approved: true } as const
  const said = (
    ...content: Extract<ModelMessage, { role: 'assistant' }>['content'] & object[]
  ): ModelMessage => ({
    role: 'assistant',
    content,
  })
  const answer = (...content: Extract<ModelMessage, { role: 'tool' }>['content']): ModelMessage => ({
    role: 'tool',
    content,
  })
  const shownCall = { type: 'tool-call', ...call } as const
  const automatic = { isAutomatic: true }
  const shown = said(shownCall, request)
  const result = {
    type: 'tool-result',
    toolCallId: '1',
    toolName: 'own__pay',
    output: { type: 'text', value: 'paid' },
  } as const

  test('if the last message approves that call', () => {
    expect(isApproved(call, [user, shown, answer(yes)])).toBe(true)
  })

  test.each<[string, typeof call, readonly ModelMessage[]]>([
    ['there are none', call, []],
    ['nobody answered', call, [user, shown]],
    ['the answer is no', call, [user, shown, answer({ ...yes, approved: false })]],
    ['the answers differ', call, [user, shown, answer(yes, { ...yes, approved: false })]],
    ['the answer is to another request', call, [user, shown, answer({ ...yes, approvalId: 'b' })]],
    ['the arguments are others', { ...call, input: { amount: 2 } }, [user, shown, answer(yes)]],
    ['the tool is another', { ...call, toolName: 'own__refund' }, [user, shown, answer(yes)]],
    ['the call is another', { ...call, toolCallId: '2' }, [user, shown, answer(yes)]],
    ['the call has its result', call, [user, shown, answer(yes, result)]],
    ['the answer is not the last message', call, [user, shown, answer(yes), user]],
    ['the call was never shown', call, [user, said(request), answer(yes)]],
    ['the SDK answered by itself', call, [user, said(shownCall, { ...request, ...automatic }), answer(yes)]],
    ['nothing was requested', call, [user, said(shownCall), answer(yes)]],
    [
      'the call was replaced after it was shown',
      call,
      [user, shown, said({ ...shownCall, input: { amount: 9 } }), answer(yes)],
    ],
  ])('but not if %s', (_when, given, messages) => {
    expect(isApproved(given, messages)).toBe(false)
  })
})
