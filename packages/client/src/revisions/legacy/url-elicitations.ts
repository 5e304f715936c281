import { answerServerRequest } from '../../server-requests/answer-server-request.ts'
import { callFirstHandler } from '../../jsonrpc/incoming-requests.ts'
import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { McpError, URL_ELICITATION_REQUIRED } from '../../jsonrpc/jsonrpc.ts'
import { delay } from '../../timing/delay.ts'
import type { HostOptions } from '../codec.ts'
import type { IncomingRequestHandler, SentRequest } from '../../jsonrpc/transport.ts'

/** Sends a refused request again. It has had no effect. */
export type Repeat = (request: SentRequest) => Promise<unknown>

/** Result of a repeated request. `refusal`: the server requires further URLs. */
type Attempt = { readonly result: unknown } | { readonly refusal: McpError }

/** Time that the user has for a page. */
const PATIENCE_MS = 10 * 60_000

/** Servers need not report that a page is completed, so the request is repeated with growing delays. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

/** Maximum number of consecutive rounds of pages for one request. */
const MAX_ROUNDS = 5

/** Asks the user to visit the URLs that a server requires, and repeats the request. */
export class UrlElicitations {
  readonly #handlers: HostOptions
  readonly #lifetime: AbortSignal
  readonly #repeat: Repeat
  /** The open elicitation ids of each request. One without an id is never reported as completed. */
  readonly #open = new Set<Set<unknown>>()
  /** Aborted when an elicitation is completed. */
  #completion = new AbortController()

  constructor(host: HostOptions, lifetime: AbortSignal, repeat: Repeat) {
    this.#handlers = host
    this.#lifetime = lifetime
    this.#repeat = repeat
  }

  onNotification(method: string, params: unknown): void {
    if (method !== 'notifications/elicitation/complete' || !isJsonObject(params)) return
    const { elicitationId: id } = params
    const waiting = typeof id === 'string' ? [...this.#open].filter((open) => open.delete(id)) : []
    if (waiting.length === 0) return
    this.#completion.abort()
    this.#completion = new AbortController()
  }

  /** Returns the result of the request after the user has visited the URLs. Otherwise rejects with the refusal. */
  async retry(refusal: McpError, request: SentRequest): Promise<unknown> {
    const { signal } = request.options
    const given = AbortSignal.any(signal === undefined ? [this.#lifetime] : [signal, this.#lifetime])
    let standing = refusal
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const outcome = await this.#visit(pagesIn(standing.data), request, given)
      if (outcome === undefined) break
      if (!('refusal' in outcome)) return outcome.result
      standing = outcome.refusal
    }
    throw standing
  }

  /** Undefined if the user refuses or does not finish in time. */
  async #visit(
    pages: readonly JsonObject[],
    request: SentRequest,
    signal: AbortSignal,
  ): Promise<Attempt | undefined> {
    const open = new Set(pages.map(({ elicitationId: id }) => id))
    this.#open.add(open)
    try {
      const isAgreed = pages.length > 0 && (await this.#isAgreed(pages, request, signal))
      return isAgreed ? await this.#retryUntilCompleted(open, request, signal) : undefined
    } finally {
      this.#open.delete(open)
    }
  }

  /** Asks the user for each page in turn. False if the user refuses one. */
  async #isAgreed(pages: readonly JsonObject[], request: SentRequest, signal: AbortSignal): Promise<boolean> {
    const byHost: IncomingRequestHandler = (...question) => answerServerRequest(this.#handlers, ...question)
    const handlers = [request.options.onRequest, byHost]
    for (const page of pages) {
      const asked = { mode: 'url', ...page }
      const answer = await callFirstHandler(handlers, 'elicitation/create', asked, { signal, request })
      signal.throwIfAborted()
      if (!isJsonObject(answer) || answer['action'] !== 'accept') return false
    }
    return true
  }

  async #retryUntilCompleted(
    open: ReadonlySet<unknown>,
    request: SentRequest,
    signal: AbortSignal,
  ): Promise<Attempt | undefined> {
    const deadline = performance.now() + PATIENCE_MS
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const wereThrough = open.size === 0
      const outcome = await attempt(this.#repeat(request))
      if (!('refusal' in outcome) || wereThrough) return outcome
      if (performance.now() > deadline) return undefined
      if (open.size > 0) await delay(pauseMs, AbortSignal.any([signal, this.#completion.signal]))
      signal.throwIfAborted()
    }
  }
}

async function attempt(asked: Promise<unknown>): Promise<Attempt> {
  try {
    return { result: await asked }
  } catch (error) {
    if (!isUrlRequired(error)) throw error
    return { refusal: error }
  }
}

function isUrlRequired(error: unknown): error is McpError {
  return error instanceof McpError && error.kind === 'peer' && error.code === URL_ELICITATION_REQUIRED
}

function pagesIn(data: unknown): readonly JsonObject[] {
  const { elicitations } = isJsonObject(data) ? data : {}
  return Array.isArray(elicitations) ? elicitations.map((page) => (isJsonObject(page) ? page : {})) : []
}
