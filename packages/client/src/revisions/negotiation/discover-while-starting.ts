import { linkedSignal } from '../../async/linked-signal.ts'
import { McpError, McpErrorCode } from '../../jsonrpc/jsonrpc.ts'
import type { IncomingMcpHandlers, RequestOptions } from '../../jsonrpc/transport.ts'
import type { ProbeTarget } from './probe.ts'

/** Time for the answer after the first other output: a server that writes has started. */
const AFTER_LIFE_MS = 3_000

/** Timeout of a connection where the caller sets none. */
const DEFAULT_START_TIMEOUT_MS = 30_000

const method = 'server/discover'

/**
 * Probes a server that may still be starting. Once the server sends anything else, the answer must arrive within 3 s.
 * Until then it may take half of the timeout, to leave time for the handshake: a silent process may be waiting for it. A
 * server must not get both earlier, because one that has both eras would choose the legacy one.
 */
export async function discoverWhileStarting(
  { transport, handlers, host }: ProbeTarget,
  params: object,
  options: RequestOptions,
): Promise<unknown> {
  const half = (options.timeoutMs ?? DEFAULT_START_TIMEOUT_MS) / 2
  const timeoutMs = Math.min(host.probeTimeoutMs ?? Infinity, half)
  const late = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const onLife = (): void => {
    timer ??= setTimeout(() => late.abort(unansweredError()), AFTER_LIFE_MS)
  }
  using ended = linkedSignal(options.signal, late.signal)
  transport.setHandlers(noticing(handlers, onLife))
  try {
    return await transport.request(method, params, { ...options, timeoutMs, signal: ended.signal })
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

function unansweredError(): McpError {
  const message = `the server has started but did not answer ${method} within ${AFTER_LIFE_MS} ms`
  return new McpError(message, { kind: 'timeout', code: McpErrorCode.RequestTimeout })
}
