import type { RevisionCodec } from '../codec.ts'
import type { IncomingMcpHandlers } from '../../jsonrpc/transport.ts'

/** Handlers as plain functions, for a transport that copies or destructures the object. */
export function boundHandlers(codec: RevisionCodec): IncomingMcpHandlers {
  return {
    onRequest: (method, params, context) => codec.onRequest(method, params, context),
    onNotification: (method, params) => codec.onNotification(method, params),
    onClose: (reason) => codec.onClose(reason),
    onWarning: (warning) => codec.onWarning(warning),
    onRefused: (refusal, request) => codec.onRefused?.(refusal, request),
    onSessionLost: () => codec.onSessionLost?.(),
  }
}
