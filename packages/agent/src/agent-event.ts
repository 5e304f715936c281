import type { CallToolResult } from '@toolbridge/client'

/** What happens during a run, in order. */
export type AgentEvent =
  | { readonly type: 'step.started'; readonly step: number }
  /** A part of the model's answer, as it arrives. */
  | { readonly type: 'text'; readonly text: string }
  /** A part of the model's reasoning, where the provider shows it. */
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'tool.called'
      readonly callId: string
      /** Name that the model used. */
      readonly tool: string
      readonly input: unknown
    }
  | {
      readonly type: 'tool.finished'
      readonly callId: string
      readonly tool: string
      /** The result; undefined if the call failed. */
      readonly result?: CallToolResult
      /** Why the call failed: it was denied, the tool is unknown, or the server did not answer. */
      readonly error?: string
    }
  | { readonly type: 'step.finished'; readonly step: number; readonly tokens: number }
