import type { McpHooks } from './features/hooks.ts'
import type { McpError } from './jsonrpc/jsonrpc.ts'
import type { Implementation } from './model/capability.ts'
import type { LogLevel } from './model/logging.ts'
import type { Roots } from './model/root.ts'
import type { ResponseCache } from './revisions/response-cache.ts'
import type { ElicitationHandler, SamplingHandler } from './server-requests/server-request-handlers.ts'
import type { EraCache, EraMode } from './revisions/era.ts'
import type { IncomingRequestHandler } from './jsonrpc/transport.ts'

export interface McpClientOptions {
  readonly clientInfo?: Implementation
  /** Which revisions to speak; `auto`, the default, asks the server. */
  readonly era?: EraMode
  /** What is known of servers from earlier connections; it saves asking. Needs `eraKey`. */
  readonly eraCache?: EraCache
  /** What the host knows this server by. */
  readonly eraKey?: string
  /** How long a server that is no HTTP server may take to say which era it speaks; 3 s if left out. */
  readonly probeTimeoutMs?: number
  /** Answers the server's questions. Declaring a handler declares the capability. */
  readonly onElicitation?: ElicitationHandler
  /** The elicitation handler can also lead a person to an address, once that person agreed. */
  readonly offersUrls?: boolean
  /** Runs the host's model for the server. Declaring a handler declares the capability. */
  readonly onSampling?: SamplingHandler
  /** The sampling handler can offer the server's tools to the model. */
  readonly samplingTools?: boolean
  /** Where the server may work; giving any, even none, declares the capability. */
  readonly roots?: Roots
  /** Extensions of the protocol that the host takes part in, with their settings. */
  readonly extensions?: Readonly<Record<string, object>>
  /** Answers the server's requests that no other option answers. */
  readonly onServerRequest?: IncomingRequestHandler
  /** Results that the server lets be used again; one of its own unless the host shares one among a server's clients. */
  readonly responseCache?: ResponseCache
  /** Whose private results a shared cache may give and keep; left out, only results for everybody are. */
  readonly principal?: string
  readonly onNotification?: (method: string, params: unknown) => void
  /** Called once, when the open connection ends without `close()` having been asked for. */
  readonly onClose?: (reason: McpError) => void
  /** Something of the server's was dropped or cut; the connection goes on. */
  readonly onWarning?: (warning: McpError) => void
  readonly hooks?: McpHooks
  /** The host's own name for the server, which the hooks are told. */
  readonly server?: string
  /** The server is to report what is at least as grave, if it reports anything. */
  readonly logLevel?: LogLevel
  /** Pings at this interval and takes a server that misses three in a row for gone; left out or 0, never. */
  readonly keepAliveMs?: number
  /**
   * How often in a row a server without a handshake whose process died is started again, with its subscriptions; a
   * warning tells of it, and what was in flight has failed. Left out or 0, never: `onClose` tells.
   */
  readonly restarts?: number
  /** How long each request may take unless it says otherwise; 60 s if left out. */
  readonly timeoutMs?: number
  /** How many pages of one list are read at most; 1,000 if left out. */
  readonly maxPages?: number
}

export interface ConnectOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}
