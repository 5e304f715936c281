import type { ToolSet } from 'ai'
import * as sdk6 from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import type { AiSdk } from '../../src/adapters/ai-sdk-tools.ts'

/** An AI SDK with its mock model. The types are those of version 6; what the tests use is the same in version 7. */
export interface Sdk extends AiSdk, Pick<typeof sdk6, 'generateText' | 'streamText' | 'stepCountIs'> {
  readonly MockLanguageModel: typeof MockLanguageModelV3
}

/** Loads an AI SDK. Version 7 is installed by `test/setup/ai-sdk-7.ts`. */
export async function loadSdk(version: 6 | 7): Promise<Sdk> {
  if (version === 6) return { ...sdk6, MockLanguageModel: MockLanguageModelV3 }
  const entry = new URL('../ai-sdk-7/index.mjs', import.meta.url).href
  const sdk7 = (await import(/* @vite-ignore */ entry)) as Sdk
  return sdk7
}

type Model = MockLanguageModelV3
type Generated = Awaited<ReturnType<Model['doGenerate']>>
type Prompt = Parameters<Model['doGenerate']>[0]['prompt']

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that calls a tool, and then says what it has read of the tool, as JSON. */
export function modelCalling(sdk: Sdk, toolName: string, input: object): Model {
  const call = { type: 'tool-call', toolCallId: '1', toolName, input: JSON.stringify(input) } as const
  const next = (prompt: Prompt): Pick<Generated, 'content' | 'finishReason'> => {
    const read = toolOutputs(prompt)
    return read.length === 0
      ? { content: [call], finishReason: { unified: 'tool-calls', raw: undefined } }
      : {
          content: [{ type: 'text', text: JSON.stringify(read) }],
          finishReason: { unified: 'stop', raw: undefined },
        }
  }
  return new sdk.MockLanguageModel({
    doGenerate: async ({ prompt }) => ({ ...next(prompt), usage, warnings: [] }),
    doStream: async ({ prompt }) => ({ stream: streamOf(next(prompt)) }),
  })
}

type Stream = Awaited<ReturnType<Model['doStream']>>['stream']
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never

function streamOf({ content, finishReason }: Pick<Generated, 'content' | 'finishReason'>): Stream {
  const parts = content.flatMap((part): readonly StreamPart[] => {
    if (part.type === 'tool-call') return [part]
    if (part.type !== 'text') return []
    const { text: delta } = part
    return [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta },
      { type: 'text-end', id: 't' },
    ]
  })
  const all: readonly StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    ...parts,
    { type: 'finish', finishReason, usage },
  ]
  return new ReadableStream({
    start: (controller) => {
      for (const part of all) controller.enqueue(part)
      controller.close()
    },
  })
}

/** The outputs of tools that a model reads. */
function toolOutputs(prompt: Prompt): readonly unknown[] {
  return prompt.flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []))
      : [],
  )
}

/** What a model that calls a tool reads of it. */
export async function whatIsRead(
  sdk: Sdk,
  tools: ToolSet,
  [toolName, input]: readonly [string, object],
  how: 'generateText' | 'streamText' = 'generateText',
): Promise<unknown> {
  const options = {
    model: modelCalling(sdk, toolName, input),
    tools,
    stopWhen: sdk.stepCountIs(3),
    prompt: 'go on',
  }
  const text = how === 'generateText' ? (await sdk.generateText(options)).text : sdk.streamText(options).text
  return JSON.parse(await text)
}
