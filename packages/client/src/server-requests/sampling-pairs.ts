import type { SamplingContent, SamplingMessage } from '../model/sampling.ts'

/**
 * Each `tool_use` must have a `tool_result` in the next message, and a message with a `tool_result` contains nothing else.
 * Returns the violations with their positions.
 */
export function unpairedToolUses(messages: readonly SamplingMessage[]): readonly string[] {
  return messages.flatMap((message, index) => [
    ...mixedResults(message, index),
    ...unanswered(message, messages[index + 1], index),
    ...unasked(message, messages[index - 1], index),
  ])
}

function mixedResults(message: SamplingMessage, index: number): readonly string[] {
  const blocks = blocksOf(message)
  const isMixed = blocks.some(isToolResult) && !blocks.every(isToolResult)
  return isMixed ? [`messages[${index}] mixes tool results with other content`] : []
}

function unanswered(message: SamplingMessage, next: SamplingMessage | undefined, index: number): string[] {
  const answered = new Set(answeredIn(next))
  return askedIn(message)
    .filter((id) => !answered.has(id))
    .map((id) => `messages[${index}]: no tool result follows for ${JSON.stringify(id)}`)
}

function unasked(message: SamplingMessage, previous: SamplingMessage | undefined, index: number): string[] {
  const asked = new Set(askedIn(previous))
  return answeredIn(message)
    .filter((id) => !asked.has(id))
    .map((id) => `messages[${index}]: the tool result for ${JSON.stringify(id)} follows no such use`)
}

function askedIn(message: SamplingMessage | undefined): readonly string[] {
  return blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
}

function answeredIn(message: SamplingMessage | undefined): readonly string[] {
  return blocksOf(message).flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []))
}

function isToolResult(block: SamplingContent): boolean {
  return block.type === 'tool_result'
}

function blocksOf(message: SamplingMessage | undefined): readonly SamplingContent[] {
  return message === undefined ? [] : [message.content].flat()
}
