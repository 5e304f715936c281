import {
  type SamplingContent,
  type SamplingMessage,
  type ToolResultContent,
  toText,
} from '@toolbridge/client'
import type { FilePart, ModelMessage, TextPart, ToolCallPart, ToolResultPart } from 'ai'

/** The messages of a sampling request for the AI SDK. Results of tools become messages of their own. */
export function modelMessages(messages: readonly SamplingMessage[]): ModelMessage[] {
  const names = toolNames(messages)
  return messages.flatMap(({ role, content }): ModelMessage[] => {
    const blocks = blocksOf(content)
    const results = blocks.filter((block) => block.type === 'tool_result')
    const tool: ModelMessage[] =
      results.length === 0
        ? []
        : [{ role: 'tool', content: results.map((result) => resultPart(result, names)) }]
    const rest = blocks.filter((block) => block.type !== 'tool_result')
    if (rest.length === 0) return tool
    return role === 'user'
      ? [...tool, { role, content: rest.flatMap(userPart) }]
      : [...tool, { role, content: rest.flatMap(assistantPart) }]
  })
}

function blocksOf(content: SamplingMessage['content']): readonly SamplingContent[] {
  return Array.isArray(content) ? (content as readonly SamplingContent[]) : [content as SamplingContent]
}

/** Tool names by the id of their call: a result has the id only. */
function toolNames(messages: readonly SamplingMessage[]): ReadonlyMap<string, string> {
  const blocks = messages.flatMap(({ content }) => blocksOf(content))
  return new Map(blocks.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.name]] : [])))
}

function resultPart(
  { toolUseId, content, isError }: ToolResultContent,
  names: ReadonlyMap<string, string>,
): ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: toolUseId,
    toolName: names.get(toolUseId) ?? 'unknown',
    output: { type: isError === true ? 'error-text' : 'text', value: toText({ content }) },
  }
}

function userPart(block: SamplingContent): readonly (TextPart | FilePart)[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }]
  if (block.type !== 'image' && block.type !== 'audio') return []
  // Encoded again, because the AI SDK opens data that is a URL.
  const data = Buffer.from(block.data, 'base64').toString('base64')
  return [{ type: 'file', data, mediaType: block.mimeType }]
}

function assistantPart(block: SamplingContent): readonly (TextPart | ToolCallPart)[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }]
  if (block.type !== 'tool_use') return []
  return [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input }]
}
