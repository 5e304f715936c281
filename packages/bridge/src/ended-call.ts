import type { CallToolResult } from '@toolbridge/client'

/** A call that has ended, with what the journal leaves out. */
export interface EndedCall {
  /** Id of the call in the journal. */
  readonly callId: string
  /** Arguments of the call. They may contain secrets. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** Result of the call. It may contain secrets. Omitted if the call failed. */
  readonly result?: CallToolResult
  /** Removes the secrets of definitions and the answers of people from a text. */
  readonly redact: (text: string) => string
}
