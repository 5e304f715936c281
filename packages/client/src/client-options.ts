import type { McpHooks } from './features/hooks.ts'
import type { McpError } from './jsonrpc/jsonrpc.ts'
import type { Implementation } from './model/capability.ts'
import type { LogLevel } from './model/logging.ts'
import type { Roots } from './model/root.ts'
import type { ResponseCache } from './revisions/response-cache.ts'
import type { ElicitationHandler, SamplingHandler } from './server-requests/server-request-handlers.ts'
import type { EraCache, EraMode } from './revisions/era.ts'
import type { IncomingRequestHandler } from './jsonrpc/transport.ts'

/** Options of `McpClient`. */
export interface McpClientOptions {
  /** Sent to the server as the client's identity. Default: Toolbridge and its version. */
  readonly clientInfo?: Implementation
  /** Revisions to speak. Default: `auto`, which probes the server. */
  readonly era?: EraMode
  /** The revision to request, such as `2025-06-18`. Default: the newest one that both sides support. */
  readonly version?: string
  /** Accepts any revision that a server answers to `initialize`, also an unknown one. Default: false. */
  readonly acceptsAnyVersion?: boolean
  /** Results of earlier probes, which save a probe. Requires `eraKey`. */
  readonly eraCache?: EraCache
  /** Identifies the server in `eraCache`. */
  readonly eraKey?: string
  /**
   * Timeout of the probe on transports other than HTTP, and at most half of the timeout of `connect`. Default: that half,
   * or 15 s. A server that sends something else has 3 s from then on.
   */
  readonly probeTimeoutMs?: number
  /** Answers elicitation requests. Setting it declares the capability. */
  readonly onElicitation?: ElicitationHandler
  /** The elicitation handler supports URL mode: it asks the user and then opens the URL. Default: false. */
  readonly offersUrls?: boolean
  /** Answers sampling requests. Setting it declares the capability. */
  readonly onSampling?: SamplingHandler
  /** The sampling handler supports tools. Default: false. */
  readonly samplingTools?: boolean
  /** Folders the server may work in. Setting it, even to an empty list, declares the capability. */
  readonly roots?: Roots
  /** Protocol extensions to declare, with their settings. Default: none. */
  readonly extensions?: Readonly<Record<string, object>>
  /** Answers requests of the server that no other option handles. Default: they are refused. */
  readonly onServerRequest?: IncomingRequestHandler
  /** Cache for results that the server marks as cacheable. Default: one per client. */
  readonly responseCache?: ResponseCache
  /** Owner of private results in a shared cache. Default: none, so only public results are cached. */
  readonly principal?: string
  /** Called with each notification of the server. */
  readonly onNotification?: (method: string, params: unknown) => void
  /** Called once if the open connection ends without `close()`. */
  readonly onClose?: (reason: McpError) => void
  /** Called when data of the server was dropped or truncated. The connection stays open. */
  readonly onWarning?: (warning: McpError) => void
  /** Called on connections, tool calls and errors. */
  readonly hooks?: McpHooks
  /** The host's name for the server, passed to the hooks. Default: empty. */
  readonly server?: string
  /** Minimum severity of log messages, for servers that support logging. Default: the server's. */
  readonly logLevel?: LogLevel
  /** Interval of pings; after three missed ones the connection is closed. Default: 0, no pings. */
  readonly keepAliveMs?: number
  /**
   * How often in a row to restart a server of the modern era whose process died, including its subscriptions. Requests
   * in flight fail, and `onWarning` reports each restart. Default: 0, so `onClose` is called.
   */
  readonly restarts?: number
  /** Timeout per request. Default: 60 s. */
  readonly timeoutMs?: number
  /** Maximum number of pages read per list. Default: 1,000. */
  readonly maxPages?: number
}

/** Options of `McpClient.connect`. */
export interface ConnectOptions {
  /** Aborts connecting. No effect once the connection is open. */
  readonly signal?: AbortSignal
  /** Timeout per request while connecting. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number
}
