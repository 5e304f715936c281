import {
  type ClientCapabilities,
  type ElicitRequest,
  type IncomingRequestHandler,
  LATEST_MODERN_VERSION,
  McpError,
  McpErrorCode,
  type McpClientOptions,
  type RequestOptions,
  type ServerDescription,
} from '@toolbridge/client'
import { type Answer, type Origin, originKey } from '../elicitation/question.ts'
import type { Asker, AskableCall, QuestionRouter } from '../elicitation/router.ts'
import type { CallsInFlight } from './in-flight.ts'
import type { Seat } from './seat.ts'

export interface AskingOptions {
  readonly server: string
  readonly seat: Seat
  readonly calls: CallsInFlight
  readonly router: QuestionRouter
  /** The server may ask at any time, not only in the result of a call: then nobody else may use the connection. */
  readonly mayAskAnytime: boolean
  /** Keeps the connection open until what it returns is called. */
  readonly hold: () => () => void
}

/** What goes with a request so that its server can ask in the result. */
export type RequestQuestions = Pick<RequestOptions, 'onRequest' | 'capabilities'>

/**
 * What a server can ask over one connection, and whom. Before 2026-07-28 a question does not say which call it belongs
 * to and may come when no call is in flight, so such a connection belongs to one origin or declares that nobody can be
 * asked. Since then a question is part of a call's result, and goes where that call came from.
 */
export class Asking {
  readonly #options: AskingOptions
  #era: 'unknown' | 'legacy' | 'modern' = 'unknown'

  constructor(options: AskingOptions) {
    this.#options = options
  }

  /** What the client declares for the whole connection. */
  get clientOptions(): Partial<McpClientOptions> {
    if (!this.#options.mayAskAnytime) return { offersUrls: true }
    return {
      offersUrls: true,
      onElicitation: (request, { signal }) => this.#askAnytime(request, signal),
    }
  }

  /** The connection is open, and says by its revision how the server can ask. */
  opened({ protocolVersion }: ServerDescription): void {
    this.#era = protocolVersion >= LATEST_MODERN_VERSION ? 'modern' : 'legacy'
  }

  get isModern(): boolean {
    return this.#era === 'modern'
  }

  /** Whether calls of an origin may be made over this connection. */
  serves(origin: Origin): boolean {
    const { mayAskAnytime, seat } = this.#options
    if (!mayAskAnytime || this.isModern || origin === seat) return true
    return originKey(origin) === originKey(seat)
  }

  /** What goes with a request of an origin; nothing where the server asks by itself, or not at all. */
  questionsFor(origin: Origin, call?: AskableCall): RequestQuestions {
    if (!this.isModern) return {}
    const { server } = this.#options
    const asker: Asker = {
      server,
      origin,
      calls: call === undefined ? [] : [call],
      latestAnswerer: undefined,
    }
    return { capabilities, onRequest: this.#answerFor(asker) }
  }

  #answerFor(asker: Asker): IncomingRequestHandler {
    return async (method, params, { signal }) => {
      // The client has read the question before it hands it over.
      if (method === 'elicitation/create')
        return this.#options.router.ask(params as ElicitRequest, asker, signal)
      throw new McpError(`${method} is not answered for a call`, {
        kind: 'unsupported',
        code: McpErrorCode.MethodNotFound,
      })
    }
  }

  async #askAnytime(request: ElicitRequest, signal: AbortSignal): Promise<Answer> {
    const { server, seat, calls, router, hold } = this.#options
    // Nobody knows whose this is: a call would have brought its own handler.
    if (this.isModern) return { action: 'decline' }
    const letGo = hold()
    try {
      return await router.ask(
        request,
        { server, origin: seat, calls, latestAnswerer: calls.latestAnswerer },
        signal,
      )
    } finally {
      letGo()
    }
  }
}

const capabilities: ClientCapabilities = { elicitation: { form: {}, url: {} } }
