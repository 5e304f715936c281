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

/** What the host of a client brings to the conversation, whatever the revision. */
export interface HostOptions extends ServerRequestHandlers {
  readonly clientInfo?: Implementation | undefined
  readonly era?: EraMode | undefined
  readonly eraCache?: EraCache | undefined
  /** What the server is known by in the cache. */
  readonly eraKey?: string | undefined
  readonly probeTimeoutMs?: number | undefined
  /** Extensions of the protocol that the host takes part in, with their settings. */
  readonly extensions?: Readonly<Record<string, object>> | undefined
  readonly logLevel?: LogLevel | undefined
  /** How often in a row a server that died is started again. */
  readonly restarts?: number | undefined
  readonly responseCache?: ResponseCache | undefined
  /** Whose private results the cache may give and keep. */
  readonly principal?: string | undefined
  readonly onNotification?: ((method: string, params: unknown) => void) | undefined
  readonly onClose?: ((reason: McpError) => void) | undefined
  readonly onWarning?: ((warning: McpError) => void) | undefined
}

/** What servers of every era do. */
type AnyEra = 'onRequest' | 'onNotification' | 'onClose' | 'onWarning'

/**
 * How one era of the protocol is spoken over an open conversation. Everything that differs between eras is behind
 * this: what travels with each request, how the server's questions come in, how changes are told. It takes what the
 * transport hands in, and tells the host what concerns it.
 */
export interface RevisionCodec
  extends Pick<Required<IncomingMcpHandlers>, AnyEra>,
    Omit<IncomingMcpHandlers, AnyEra> {
  /** What the server said of itself; there when the conversation is open. */
  readonly description: ServerDescription | undefined
  request(method: string, params: object, options: RequestOptions): Promise<unknown>
  /** Whether the request goes to the transport, and its result to the caller, unchanged. */
  passesThrough?(method: string, options: RequestOptions): boolean
  /** Resolves when the server gave a sign of life. */
  ping(options: RequestOptions): Promise<void>
  /** From now on the server reports what is at least as grave as the level. */
  setLogLevel(level: LogLevel, options: RequestOptions): Promise<void>
  /** Tells the server that the host's roots are others now, where the era has a word for it. */
  rootsChanged(): Promise<void>
  /** Resolves when the server has agreed to tell of changes. */
  subscribe(
    filter: SubscriptionFilter,
    listener: SubscriptionListener,
    options: SubscribeOptions,
  ): Promise<Subscription>
  /** Results that were kept are not used again. */
  invalidateCache(): void
  /** The conversation is over: whatever waits for a person or a stream is given up. */
  close(reason: McpError): void
}
