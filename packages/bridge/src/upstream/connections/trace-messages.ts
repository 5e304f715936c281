import type { McpTransport, RequestId } from '@toolbridge/client'
import { observeMessages } from '@toolbridge/client/internal'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import type { Redaction } from '../../journal/redaction/redaction.ts'
import { redactedMessage } from '../../journal/redaction/redacted-message.ts'

/** A connection to a server. */
export interface BridgeConnection {
  /** Transport of the server's definition. */
  readonly transport: ServerSpec['transport']
}

/** A JSON-RPC message between the bridge and a server. */
export interface BridgeMessage {
  /** Name of the server. */
  readonly server: string
  /** The connection; the same object for all of its messages. */
  readonly connection: BridgeConnection
  /** Whether the bridge sent or received it. */
  readonly direction: 'sent' | 'received'
  /** Id of the bridge's request on whose stream it arrived (Streamable HTTP). */
  readonly request?: RequestId
  /** The message as JSON in one line, without secrets of definitions and answers of people. Untrusted text. */
  readonly text: string
}

/** Reports every message of a transport without secrets. To be called before the transport is started. */
export function traceMessages(
  { name: server, transport: kind }: Pick<ServerSpec, 'name' | 'transport'>,
  transport: McpTransport,
  redaction: Redaction,
  onMessage: (message: BridgeMessage) => void,
): void {
  const connection: BridgeConnection = { transport: kind }
  const redact = (text: string): string => redaction.text(text)
  observeMessages(transport, (direction, message, callId) =>
    onMessage({
      server,
      connection,
      direction,
      ...(callId === undefined ? {} : { request: callId }),
      text: redactedMessage(message, redact),
    }),
  )
}
