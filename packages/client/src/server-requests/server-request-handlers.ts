import type { IncomingRequestContext, IncomingRequestHandler } from '../jsonrpc/transport.ts'
import type { ElicitRequest, ElicitResult } from '../model/elicitation.ts'
import type { Roots } from '../model/root.ts'
import type { SamplingRequest, SamplingResult } from '../model/sampling.ts'

/** Answers an elicitation request of the server. */
export type ElicitationHandler = (
  request: ElicitRequest,
  context: IncomingRequestContext,
) => Promise<ElicitResult>

/** Runs the host's model for a server. Rejects with `samplingRejected()` when the user refuses. */
export type SamplingHandler = (
  request: SamplingRequest,
  context: IncomingRequestContext,
) => Promise<SamplingResult>

/** The handlers of a host for the requests of a server. */
export interface ServerRequestHandlers {
  readonly onElicitation?: ElicitationHandler | undefined
  /** The elicitation handler supports URL mode. */
  readonly offersUrls?: boolean | undefined
  readonly onSampling?: SamplingHandler | undefined
  /** The sampling handler supports tools. */
  readonly samplingTools?: boolean | undefined
  readonly roots?: Roots | undefined
  /** Answers every other request of the server. */
  readonly onServerRequest?: IncomingRequestHandler | undefined
}
