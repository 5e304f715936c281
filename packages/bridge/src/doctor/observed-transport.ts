import { type IncomingMcpHandlers, McpError, type McpTransport } from '@toolbridge/client'

/** What a transport showed before and while a client used it. */
export class TransportObservation {
  readonly #startedAt = performance.now()
  /** Time until the transport was started. */
  startedInMs: number | undefined
  /** Time until the server first sent anything. */
  firstByteMs: number | undefined
  /** Warnings of the transport. */
  readonly warnings: McpError[] = []

  /** The transport was started. */
  started(): void {
    this.startedInMs ??= this.#elapsed()
  }

  /** The server sent something. */
  heard(): void {
    this.firstByteMs ??= this.#elapsed()
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#startedAt)
  }
}

/** A transport that reports to an observation what passes through it. */
export function observedTransport(inner: McpTransport, observation: TransportObservation): McpTransport {
  return {
    ...(inner.usesHttp === undefined ? {} : { usesHttp: inner.usesHttp }),
    ...(inner.setProtocolVersion === undefined
      ? {}
      : { setProtocolVersion: (version: string) => inner.setProtocolVersion?.(version) }),
    ...(inner.listen === undefined ? {} : { listen: async () => inner.listen?.() }),
    ...(inner.restart === undefined ? {} : { restart: async () => inner.restart?.() }),
    async start() {
      await inner.start()
      observation.started()
    },
    async request(method, params, options) {
      try {
        const result = await inner.request(method, params, options)
        observation.heard()
        return result
      } catch (error) {
        if (error instanceof McpError && error.kind === 'peer') observation.heard()
        throw error
      }
    },
    notify: (method, params) => inner.notify(method, params),
    setHandlers: (handlers) => inner.setHandlers(observedHandlers(handlers, observation)),
    close: () => inner.close(),
  }
}

function observedHandlers(
  handlers: IncomingMcpHandlers,
  observation: TransportObservation,
): IncomingMcpHandlers {
  return {
    onRequest: (method, params, context) => {
      observation.heard()
      return handlers.onRequest?.(method, params, context) ?? Promise.resolve()
    },
    onNotification: (method, params) => {
      observation.heard()
      handlers.onNotification?.(method, params)
    },
    onWarning: (warning) => {
      if (warning.kind === 'malformed') observation.heard()
      observation.warnings.push(warning)
      handlers.onWarning?.(warning)
    },
    onClose: (reason) => handlers.onClose?.(reason),
    onRefused: (refusal, request) => handlers.onRefused?.(refusal, request),
    onSessionLost: () => handlers.onSessionLost?.(),
  }
}
