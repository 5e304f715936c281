import type { AgentEvent } from '@toolbridge/agent'
import { toText } from '@toolbridge/bridge'

/** A tool result in the shape of yaaf. */
export interface ToolResultShape {
  readonly tool_name: string
  readonly content: string
  readonly success: boolean
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The results of the calls of a run, in the order in which they arrived. */
export function toolResultShapes(events: readonly AgentEvent[]): readonly ToolResultShape[] {
  return events.flatMap((event) => {
    if (event.type !== 'tool.finished') return []
    const { tool, callId, result, error } = event
    return [
      {
        tool_name: tool,
        content: error ?? (result === undefined ? '' : toText(result)),
        success: error === undefined && result?.isError !== true,
        metadata: {
          call_id: callId,
          ...(result?.structuredContent === undefined
            ? {}
            : { structured_content: result.structuredContent }),
        },
      },
    ]
  })
}
