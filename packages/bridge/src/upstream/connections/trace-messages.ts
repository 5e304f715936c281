import type { McpTransport } from '@toolbridge/client'
import { observeMessages } from '@toolbridge/client/internal'
import type { Redaction } from '../../journal/redaction/redaction.ts'

/** A JSON-RPC message between the bridge and a server. */
export interface BridgeMessage {
  /** Name of the server. */
  readonly server: string
  /** Whether the bridge sent or received it. */
  readonly direction: 'sent' | 'received'
  /** The message as JSON in one line, without secrets of definitions and answers of people. Untrusted text. */
  readonly text: string
}

/** Reports every message of a transport without secrets. To be called before the transport is started. */
export function traceMessages(
  server: string,
  transport: McpTransport,
  redaction: Redaction,
  onMessage: (message: BridgeMessage) => void,
): void {
  observeMessages(transport, (direction, message) =>
    onMessage({ server, direction, text: redaction.text(JSON.stringify(message) ?? '') }),
  )
}
