import type { McpError } from '../jsonrpc.ts'
import type { Implementation, ServerDescription } from '../model/capability.ts'
import type { ElicitRequest, ElicitResult } from '../model/elicitation.ts'
import type { LogLevel } from '../model/logging.ts'
import type { Roots } from '../model/root.ts'
import type { SamplingHandler } from '../model/sampling.ts'
import type { IncomingRequestContext, IncomingRequestHandler, RequestOptions } from '../transport.ts'

/** Answers a question of the server. */
export type ElicitationHandler = (
  request: ElicitRequest,
  context: IncomingRequestContext,
) => Promise<ElicitResult>

/** What the host of a client brings to the conversation, whatever the revision. */
export interface ClientHost {
  readonly clientInfo: Implementation
  readonly onElicitation: ElicitationHandler | undefined
  readonly onSampling: SamplingHandler | undefined
  /** The sampling handler can offer the server's tools to the model. */
  readonly samplingTools: boolean
  readonly roots: Roots | undefined
  /** Extensions of the protocol that the host takes part in, with their settings. */
  readonly extensions: Readonly<Record<string, object>> | undefined
  readonly logLevel: LogLevel | undefined
  /** Answers the server's requests that are not elicitation, sampling or roots. */
  readonly onServerRequest: IncomingRequestHandler | undefined
  readonly onNotification: ((method: string, params: unknown) => void) | undefined
  readonly onClose: ((reason: McpError) => void) | undefined
  readonly onWarning: ((warning: McpError) => void) | undefined
}

/**
 * How one era of the protocol is spoken. Everything that differs between eras is behind this: how a connection opens,
 * what travels with each request, how the server's questions come in.
 */
export interface RevisionCodec {
  /** Opens the conversation. Nothing else may be asked before it resolves. */
  open(options: RequestOptions): Promise<ServerDescription>
  request(method: string, params: object, options: RequestOptions): Promise<unknown>
  /** Resolves when the server gave a sign of life. */
  ping(options: RequestOptions): Promise<void>
  /** From now on the server reports what is at least as grave as the level. */
  setLogLevel(level: LogLevel, options: RequestOptions): Promise<void>
  /** Tells the server that the host's roots are others now, where the era has a word for it. */
  rootsChanged(): Promise<void>
  /** Answers what the server asks on its own. */
  readonly onRequest: IncomingRequestHandler
}
