import { type Bridge, type BridgeEvent, type BridgeOptions, openBridge } from '@toolbridge/bridge'
import { aiSdkMessages, type AiSdkToolOptions } from '@toolbridge/bridge/ai-sdk'
import type { Tool } from '@toolbridge/client'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { toolSet } from '../../src/adapters/ai-sdk-tools.ts'
import { versionOf } from '../../src/adapters/ai-sdk-version.ts'
import { inMemory } from '../servers/in-memory.ts'
import { type Answer, scriptedInMemory } from '../servers/scripted-in-memory.ts'
import { permissive } from '../servers/specs.ts'
import { loadSdk, modelCalling, type Sdk, whatIsRead } from './ai-sdk-versions.ts'

const show: Tool = { name: 'show', inputSchema: { type: 'object' } }
const text = (value: string): object => ({ type: 'text', text: value })
const png = { data: 'aW1n', mimeType: 'image/png' }
const wav = { data: 'c25k', mimeType: 'audio/wav' }
const pdf = { blob: 'cGRm', mimeType: 'application/pdf' }

/** A bridge of one server in this process, whose tool `show` answers like this. */
function serving(answer: Answer, options: Partial<BridgeOptions> = {}): Promise<Bridge> {
  const transportOf = scriptedInMemory([show], answer)
  return openBridge({ ...permissive([inMemory('hello', 'own')]), transportOf, ...options })
}

/** Media in the results of tools, as the models of each version read them. */
const media = {
  6: (data: string, mediaType: string) => ({
    type: mediaType.startsWith('image/') ? 'image-data' : 'file-data',
    data,
    mediaType,
  }),
  7: (data: string, mediaType: string) => ({ type: 'file', data: { type: 'data', data }, mediaType }),
} as const

describe.each([6, 7] as const)('with AI SDK %i', (version) => {
  const warnings: unknown[] = []
  let sdk: Sdk

  beforeAll(async () => {
    sdk = await loadSdk(version)
  })

  beforeEach(() => {
    vi.stubGlobal('AI_SDK_LOG_WARNINGS', (logged: { readonly warnings: readonly unknown[] }) =>
      warnings.push(...logged.warnings),
    )
  })

  // No part of a result may be in a form that the version calls deprecated.
  afterEach(() => expect(warnings.splice(0)).toEqual([]))

  function toolsOf(bridge: Bridge, options: AiSdkToolOptions = {}): ReturnType<typeof toolSet> {
    return toolSet(sdk, bridge, options)
  }

  test('the version is told from what the package exports', () => {
    expect(versionOf(sdk)).toBe(version)
  })

  const part = media[version]
  const results: readonly (readonly [string, object, object])[] = [
    ['text', { content: [text('a'), text('b')] }, { type: 'text', value: 'a\nb' }],
    ['nothing', { content: [] }, { type: 'text', value: '' }],
    [
      'an image between texts',
      { content: [text('a'), { type: 'image', ...png }, text('b')] },
      { type: 'content', value: [text('a'), part('aW1n', 'image/png'), text('b')] },
    ],
    [
      'audio',
      { content: [{ type: 'audio', ...wav }] },
      { type: 'content', value: [part('c25k', 'audio/wav')] },
    ],
    [
      'resources with text and without',
      {
        content: [
          { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
          { type: 'resource', resource: { uri: 'file:///b', blob: 'AA==' } },
          { type: 'resource_link', uri: 'file:///c', name: 'c' },
        ],
      },
      { type: 'text', value: 'inside\n[resource file:///b]\n[resource file:///c]' },
    ],
    [
      'a file in a resource',
      { content: [{ type: 'resource', resource: { uri: 'file:///d.pdf', ...pdf } }] },
      { type: 'content', value: [part('cGRm', 'application/pdf')] },
    ],
    [
      'structured content alone',
      { content: [], structuredContent: { total: 3 } },
      { type: 'text', value: '{"total":3}' },
    ],
    [
      'structured content beside text',
      { content: [text('three')], structuredContent: { total: 3 } },
      { type: 'text', value: 'three' },
    ],
    ['an error', { content: [text('no')], isError: true }, { type: 'error-text', value: 'no' }],
    [
      'an error without words',
      { content: [], isError: true },
      { type: 'error-text', value: 'the tool failed' },
    ],
    [
      'an error with an image',
      { content: [{ type: 'image', ...png }], isError: true },
      { type: 'content', value: [text('Tool error:'), part('aW1n', 'image/png')] },
    ],
  ]

  test.each(results)('a model reads %s [S4-3] [D28] [D29] [D30]', async (_, result, read) => {
    await using bridge = await serving(() => result)
    expect(await whatIsRead(sdk, toolsOf(bridge), ['own__show', {}])).toEqual([read])
  })

  test('the same is read when the text is streamed', async () => {
    await using bridge = await serving(() => ({ content: [{ type: 'image', ...png }] }))
    expect(await whatIsRead(sdk, toolsOf(bridge), ['own__show', {}], 'streamText')).toEqual([
      { type: 'content', value: [part('aW1n', 'image/png')] },
    ])
  })

  test('a denied call is read as an error that says why', async () => {
    await using bridge = await serving(() => ({ content: [] }), { permissions: { deny: ['mcp:*'] } })
    expect(await whatIsRead(sdk, toolsOf(bridge), ['own__show', {}])).toEqual([
      { type: 'error-text', value: expect.stringContaining('own__show may not be called') },
    ])
  })

  test('a request that fails is read as an error', async () => {
    await using bridge = await serving(() => new Promise(() => {}))
    expect(await whatIsRead(sdk, toolsOf(bridge, { timeoutMs: 1 }), ['own__show', {}])).toEqual([
      { type: 'error-text', value: expect.stringContaining('1 ms') },
    ])
  })

  test.each(['generateText', 'streamText'] as const)('aborting %s cancels the call', async (how) => {
    const controller = new AbortController()
    const outcomes: string[] = []
    const journal = (event: BridgeEvent): void => {
      if (event.type === 'call.finished') outcomes.push(event.outcome)
    }
    const hang = (): Promise<object> => {
      controller.abort(new Error('enough'))
      return new Promise(() => {})
    }
    await using bridge = await serving(hang, { journal })
    const options = {
      model: modelCalling(sdk, 'own__show', {}),
      tools: toolsOf(bridge),
      prompt: 'go on',
      abortSignal: controller.signal,
    }
    if (how === 'generateText') await sdk.generateText(options).catch(() => {})
    else await sdk.streamText(options).consumeStream()
    await expect.poll(() => outcomes).toEqual(['cancelled'])
  })

  test('a model reads the messages of a prompt', async () => {
    const model = modelCalling(sdk, 'none', {})
    const messages = aiSdkMessages({
      messages: [
        { role: 'user', content: { type: 'image', ...png } },
        { role: 'assistant', content: { type: 'text', text: 'A pixel.' } },
        { role: 'user', content: { type: 'text', text: 'And this?' } },
      ],
    })
    await sdk.generateText({ model, messages })
    expect(model.doGenerateCalls[0]?.prompt).toMatchObject([
      { role: 'user', content: [{ type: 'file', mediaType: 'image/png' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'A pixel.' }] },
      { role: 'user', content: [{ type: 'text', text: 'And this?' }] },
    ])
  })

  const counting: Answer = ({ _meta }, notify) => {
    const progressToken = _meta?.['progressToken']
    for (const progress of [1, 2])
      notify('notifications/progress', { progressToken, progress, total: 2, message: `step ${progress}` })
    return { content: [text('done')] }
  }

  test('progress is streamed as preliminary results; the model reads the final result only', async () => {
    await using bridge = await serving(counting)
    const own: number[] = []
    const model = modelCalling(sdk, 'own__show', {})
    const streamed = sdk.streamText({
      model,
      tools: toolsOf(bridge, {
        preliminaryResults: true,
        onProgress: ({ progress }) => void own.push(progress),
      }),
      stopWhen: sdk.stepCountIs(3),
      prompt: 'go on',
    })
    const outputs: unknown[] = []
    for await (const each of streamed.fullStream)
      if (each.type === 'tool-result') outputs.push([each.preliminary === true, each.output])
    const result = { content: [text('done')] }
    expect(outputs).toEqual([
      [true, { progress: 1, total: 2, message: 'step 1' }],
      [true, { progress: 2, total: 2, message: 'step 2' }],
      [true, result],
      [false, result],
    ])
    expect(JSON.parse(await streamed.text)).toEqual([{ type: 'text', value: 'done' }])
    expect(own).toEqual([1, 2])
  })

  test('without the option there are no preliminary results', async () => {
    await using bridge = await serving(counting)
    const streamed = sdk.streamText({
      model: modelCalling(sdk, 'own__show', {}),
      tools: toolsOf(bridge),
      prompt: 'go on',
    })
    const preliminary: unknown[] = []
    for await (const each of streamed.fullStream)
      if (each.type === 'tool-result') preliminary.push(each.preliminary)
    expect(preliminary).toEqual([undefined])
  })

  test('a failure after progress is read as an error', async () => {
    const failing: Answer = (call, notify) => {
      void counting(call, notify)
      return { content: [text('no')], isError: true }
    }
    await using bridge = await serving(failing)
    const tools = toolsOf(bridge, { preliminaryResults: true })
    expect(await whatIsRead(sdk, tools, ['own__show', {}])).toEqual([{ type: 'error-text', value: 'no' }])
  })
})
