import type { ToolSet } from 'ai'
import type { Bridge } from '../bridge.ts'
import type { CallOptions } from '../call.ts'

export interface AiSdkToolOptions extends CallOptions {
  /** Public names of the tools to offer; all of them unless told. */
  readonly only?: readonly string[]
}

/** The bridge's tools for the AI SDK, as they are at this moment. */
export function aiSdkTools(_bridge: Bridge, _options?: AiSdkToolOptions): ToolSet {
  throw new Error('not built yet')
}
