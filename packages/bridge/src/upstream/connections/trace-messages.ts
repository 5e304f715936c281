import type { McpTransport, RequestId } from '@toolbridge/client'
import { isJsonObject, observeMessages } from '@toolbridge/client/internal'
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
  /** Id of a request or of the request that it answers. Untrusted text. */
  readonly id?: RequestId
  /** Method of a request or notification. Untrusted text. */
  readonly method?: string
  /** The message as JSON in one line, without secrets of definitions and answers of people. Untrusted text. */
  readonly text: string
}

/** Reports every message of a transport from now on, without secrets. Returns a function that ends this. */
export function traceMessages(
  { name: server, transport: kind }: Pick<ServerSpec, 'name' | 'transport'>,
  transport: McpTransport,
  redaction: Redaction,
  onMessage: (message: BridgeMessage) => void,
): () => void {
  const connection: BridgeConnection = { transport: kind }
  const redact = (text: string): string => redaction.text(text)
  const end = observeMessages(transport, (direction, message, callId) =>
    onMessage({
      server,
      connection,
      direction,
      ...(callId === undefined ? {} : { request: callId }),
      ...headOf(message, redact),
      text: redactedMessage(message, redact),
    }),
  )
  return () => end?.()
}

function headOf(message: unknown, redact: (text: string) => string): Pick<BridgeMessage, 'id' | 'method'> {
  const { id, method } = isJsonObject(message) ? message : {}
  return {
    ...(typeof id === 'number' ? { id } : typeof id === 'string' ? { id: redact(id) } : {}),
    ...(typeof method === 'string' ? { method: redact(method) } : {}),
  }
}
