import type { Sampler } from '@toolbridge/bridge'
import type { SamplingContent, SamplingRequest, SamplingResult } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import { type FinishReason, generateText, jsonSchema, tool, type ToolSet } from 'ai'
import type { Model } from '../models/open-model.ts'
import { modelMessages } from './model-messages.ts'

/**
 * Answers sampling requests of servers with a model, for the option `sampling` of `openBridge`. Requests with tools are
 * supported: set `offersTools: true` there.
 *
 * @example
 * ```ts
 * import { modelSampler, openModel } from '@toolbridge/agent'
 *
 * const model = await openModel('openai/gpt-5')
 * const sampling = { sampler: modelSampler(model), servers: ['hello'] } // for openBridge({ sampling, … })
 * ```
 */
export function modelSampler(model: Model): Sampler {
  return {
    async sample(request, { signal }) {
      const { systemPrompt: system, temperature, stopSequences } = request
      const { content, finishReason, response, usage } = await generateText({
        model: model.model,
        messages: modelMessages(request.messages),
        maxOutputTokens: request.maxTokens,
        tools: toolsOf(request),
        toolChoice: request.toolChoice?.mode ?? 'auto',
        abortSignal: signal,
        ...(system === undefined ? {} : { system }),
        ...(temperature === undefined ? {} : { temperature }),
        ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
      })
      const result: SamplingResult = {
        role: 'assistant',
        content: answerOf(content),
        model: response.modelId,
        stopReason: stopReasons[finishReason] ?? finishReason,
      }
      return { result, ...(usage.totalTokens === undefined ? {} : { tokens: usage.totalTokens }) }
    },
  }
}

const stopReasons: Readonly<Partial<Record<FinishReason, string>>> = {
  stop: 'endTurn',
  length: 'maxTokens',
  'tool-calls': 'toolUse',
}

/** Without `execute`: the server makes the calls. */
function toolsOf({ tools = [] }: SamplingRequest): ToolSet {
  // Without a prototype, a call of "constructor" is one of an unknown tool.
  const named = Object.create(null) as ToolSet
  for (const { name, description = '', inputSchema } of tools)
    named[name] = tool({ description, inputSchema: jsonSchema(inputSchema) })
  return named
}

type Content = Awaited<ReturnType<typeof generateText>>['content']

function answerOf(content: Content): SamplingContent | readonly SamplingContent[] {
  const blocks = content.flatMap((part): readonly SamplingContent[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type !== 'tool-call') return []
    const { toolCallId: id, toolName: name, input } = part
    if (part.invalid === true || !isJsonObject(input))
      throw new TypeError(`invalid call of ${name} by the model`)
    return [{ type: 'tool_use', id, name, input }]
  })
  const [only] = blocks
  return blocks.length === 1 && only !== undefined ? only : blocks
}
