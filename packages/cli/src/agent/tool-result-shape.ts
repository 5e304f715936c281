import type { AgentEvent } from '@toolbridge/agent'
import type { BridgeTool } from '@toolbridge/bridge'
import { defaultTextPolicy, textBy } from '@toolbridge/client/internal'

/** A tool result in the shape of yaaf. */
export interface ToolResultShape {
  /** `server.tool`; the name that the model used, for a tool of Toolbridge itself. */
  readonly tool_name: string
  readonly content: string
  readonly success: boolean
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Blocks are separated by line breaks, and kept as JSON if they are not text. */
const textPolicy = { ...defaultTextPolicy, media: 'json' } as const

/** The result of a call in the shape of yaaf. `tool` is the tool that was called, if it is one of a server. */
export function toolResultShape(
  { tool: name, callId, result, error }: Extract<AgentEvent, { type: 'tool.finished' }>,
  tool: BridgeTool | undefined,
): ToolResultShape {
  const structured = result?.structuredContent
  return {
    tool_name: tool === undefined ? name : `${tool.server}.${tool.rawName}`,
    content: error ?? (result === undefined ? '' : textBy(textPolicy, result)),
    success: error === undefined && result?.isError !== true,
    metadata: {
      call_id: callId,
      ...(tool === undefined ? {} : { server: tool.server }),
      ...(structured === undefined ? {} : { structured_content: structured }),
    },
  }
}
