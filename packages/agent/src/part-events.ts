import type { CallToolResult } from '@toolbridge/client'
import type { TextStreamPart, ToolSet } from 'ai'
import type { AgentEvent } from './agent-event.ts'

/** A part of the stream of a run. */
export type Part = TextStreamPart<ToolSet>

/** Returns what reports the parts of a stream as events. */
export function partReporter(onEvent: (event: AgentEvent) => void = () => {}): (part: Part) => void {
  let step = 0
  return (part) => {
    if (part.type === 'start-step') step += 1
    const event = eventOf(part, step)
    if (event !== undefined) onEvent(event)
  }
}

function eventOf(part: Part, step: number): AgentEvent | undefined {
  if (part.type === 'start-step') return { type: 'step.started', step }
  if (part.type === 'text-delta') return { type: 'text', text: part.text }
  if (part.type === 'reasoning-delta') return { type: 'reasoning', text: part.text }
  if (part.type === 'finish-step') return { type: 'step.finished', step, tokens: part.usage.totalTokens ?? 0 }
  return callEventOf(part)
}

function callEventOf(part: Part): AgentEvent | undefined {
  if (part.type !== 'tool-call' && part.type !== 'tool-result' && part.type !== 'tool-error') return undefined
  const { toolCallId: callId, toolName: tool } = part
  if (part.type === 'tool-call') return { type: 'tool.called', callId, tool, input: part.input }
  const finished = { type: 'tool.finished', callId, tool } as const
  if (part.type === 'tool-result') return { ...finished, result: part.output as CallToolResult }
  const { error } = part
  return { ...finished, error: error instanceof Error ? error.message : String(error) }
}
