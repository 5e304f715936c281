import type { McpError } from '../jsonrpc/jsonrpc.ts'
import type { Implementation, ServerDescription } from '../model/capability.ts'
import type { LogLevel } from '../model/logging.ts'
import type {
  SubscribeOptions,
  Subscription,
  SubscriptionFilter,
  SubscriptionListener,
} from './subscription.ts'
import type { ResponseCache } from './response-cache.ts'
import type { IncomingMcpHandlers, RequestOptions } from '../jsonrpc/transport.ts'
import type { ServerRequestHandlers } from '../server-requests/server-request-handlers.ts'
import type { EraCache, EraMode } from './era.ts'

/** Options of the host that concern every revision. */
export interface HostOptions extends ServerRequestHandlers {
  readonly clientInfo?: Implementation | undefined
  readonly era?: EraMode | undefined
  /** The revision to request. */
  readonly version?: string | undefined
  /** Accepts unknown revisions in the handshake. */
  readonly acceptsAnyVersion?: boolean | undefined
  readonly eraCache?: EraCache | undefined
  /** Identifies the server in `eraCache`. */
  readonly eraKey?: string | undefined
  readonly probeTimeoutMs?: number | undefined
  /** Protocol extensions to declare, with their settings. */
  readonly extensions?: Readonly<Record<string, object>> | undefined
  readonly logLevel?: LogLevel | undefined
  /** How often in a row to restart a server that died. */
  readonly restarts?: number | undefined
  readonly responseCache?: ResponseCache | undefined
  /** Owner of private results in the cache. */
  readonly principal?: string | undefined
  readonly onNotification?: ((method: string, params: unknown) => void) | undefined
  readonly onClose?: ((reason: McpError) => void) | undefined
  readonly onWarning?: ((warning: McpError) => void) | undefined
}

/** Handlers that both eras have. */
type AnyEra = 'onRequest' | 'onNotification' | 'onClose' | 'onWarning'

/**
 * One era of the protocol over an open connection. Hides everything that differs between eras: what is sent with each
 * request, how requests of the server arrive, how changes are reported. Handles what the transport receives.
 */
export interface RevisionCodec
  extends Pick<Required<IncomingMcpHandlers>, AnyEra>,
    Omit<IncomingMcpHandlers, AnyEra> {
  /** The server's description of itself. Set when the connection is open. */
  readonly description: ServerDescription | undefined
  request(method: string, params: object, options: RequestOptions): Promise<unknown>
  /** Whether the request goes to the transport, and its result to the caller, unchanged. */
  passesThrough?(method: string, options: RequestOptions): boolean
  /** Resolves when the server answers. */
  ping(options: RequestOptions): Promise<void>
  /** Sets the minimum severity of log messages. */
  setLogLevel(level: LogLevel, options: RequestOptions): Promise<void>
  /** Notifies the server of changed roots, if the era has such a notification. */
  rootsChanged(): Promise<void>
  /** Resolves when the server has acknowledged. */
  subscribe(
    filter: SubscriptionFilter,
    listener: SubscriptionListener,
    options: SubscribeOptions,
  ): Promise<Subscription>
  /** Clears cached results. */
  invalidateCache(): void
  /** Ends everything that waits for a person or a stream. */
  close(reason: McpError): void
}
