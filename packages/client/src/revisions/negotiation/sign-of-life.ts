import { linkedSignal } from '../../async/linked-signal.ts'
import { McpError, McpErrorCode } from '../../jsonrpc/jsonrpc.ts'
import type { IncomingMcpHandlers, McpTransport, RequestOptions } from '../../jsonrpc/transport.ts'

/** Time for the answer after the first other output: a server that writes has started. */
const AFTER_LIFE_MS = 3_000

/**
 * Sends a request to a server that may still be starting. Once the server sends anything else, the answer must arrive
 * within 3 s; until then only the timeout of the request applies. `handlers` are those of the transport.
 */
export async function requestWhileStarting(
  transport: McpTransport,
  handlers: IncomingMcpHandlers,
  [method, params, options]: readonly [method: string, params: object, options: RequestOptions],
): Promise<unknown> {
  const late = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const onLife = (): void => {
    timer ??= setTimeout(() => late.abort(unansweredError(method)), AFTER_LIFE_MS)
  }
  using ended = linkedSignal(options.signal, late.signal)
  transport.setHandlers(noticing(handlers, onLife))
  try {
    return await transport.request(method, params, { ...options, signal: ended.signal })
  } finally {
    clearTimeout(timer)
    transport.setHandlers(handlers)
  }
}

function noticing(handlers: IncomingMcpHandlers, onLife: () => void): IncomingMcpHandlers {
  return {
    onRequest: (method, params, context) => {
      onLife()
      return handlers.onRequest?.(method, params, context) ?? Promise.resolve()
    },
    onNotification: (method, params) => {
      onLife()
      handlers.onNotification?.(method, params)
    },
    onWarning: (warning) => {
      onLife()
      handlers.onWarning?.(warning)
    },
    onClose: (reason) => handlers.onClose?.(reason),
    onRefused: (refusal, request) => handlers.onRefused?.(refusal, request),
    onSessionLost: () => handlers.onSessionLost?.(),
  }
}

function unansweredError(method: string): McpError {
  const message = `the server has started but did not answer ${method} within ${AFTER_LIFE_MS} ms`
  return new McpError(message, { kind: 'timeout', code: McpErrorCode.RequestTimeout })
}
