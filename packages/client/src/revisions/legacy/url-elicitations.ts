import { answerServerRequest } from '../../server-requests/answer-server-request.ts'
import { callFirstHandler } from '../../jsonrpc/incoming-requests.ts'
import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { McpError, URL_ELICITATION_REQUIRED } from '../../jsonrpc/jsonrpc.ts'
import { delay } from '../../timing/delay.ts'
import type { HostOptions } from '../codec.ts'
import type { IncomingRequestHandler, RequestOptions } from '../../jsonrpc/transport.ts'

/** A request that a server refused until a person has been somewhere. */
export interface RefusedRequest {
  /** Makes it again: what was refused so has had no effect. */
  readonly send: () => Promise<unknown>
  readonly options: RequestOptions
}

/** What became of a request that was made again: `refusal` wants people to go to pages. */
type Attempt = { readonly result: unknown } | { readonly refusal: McpError }

/** How long a person may take for a page. */
const PATIENCE_MS = 10 * 60_000

/** A server need not say that a page is through, so it is asked now and then, ever more rarely. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

/** How often in a row a server may come up with further pages for one request. */
const MAX_ROUNDS = 5

/** Leads people to the pages that a server wants them to go to before it serves a request, and asks again. */
export class UrlElicitations {
  readonly #handlers: HostOptions
  readonly #lifetime: AbortSignal
  /** The pages of each request that people are at, by id; one without an id is never said to be through. */
  readonly #open = new Set<Set<unknown>>()
  /** Aborted when a page is through. */
  #completion = new AbortController()

  constructor(host: HostOptions, lifetime: AbortSignal) {
    this.#handlers = host
    this.#lifetime = lifetime
  }

  onNotification(method: string, params: unknown): void {
    if (method !== 'notifications/elicitation/complete' || !isJsonObject(params)) return
    const { elicitationId: id } = params
    const waiting = typeof id === 'string' ? [...this.#open].filter((open) => open.delete(id)) : []
    if (waiting.length === 0) return
    this.#completion.abort()
    this.#completion = new AbortController()
  }

  /** The result of the request once people have been where the server wants them; else the refusal stands. */
  async retry(refusal: McpError, request: RefusedRequest): Promise<unknown> {
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

  /** Undefined when nobody goes there, or not in time. */
  async #visit(
    pages: readonly JsonObject[],
    request: RefusedRequest,
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

  /** Has a person led to each page, one after the other; whether they want to go. */
  async #isAgreed(
    pages: readonly JsonObject[],
    { options }: RefusedRequest,
    signal: AbortSignal,
  ): Promise<boolean> {
    const byHost: IncomingRequestHandler = (...question) => answerServerRequest(this.#handlers, ...question)
    for (const page of pages) {
      const asked = { mode: 'url', ...page }
      const answer = await callFirstHandler([options.onRequest, byHost], 'elicitation/create', asked, signal)
      signal.throwIfAborted()
      if (!isJsonObject(answer) || answer['action'] !== 'accept') return false
    }
    return true
  }

  async #retryUntilCompleted(
    open: ReadonlySet<unknown>,
    { send: ask }: RefusedRequest,
    signal: AbortSignal,
  ): Promise<Attempt | undefined> {
    const deadline = performance.now() + PATIENCE_MS
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const wereThrough = open.size === 0
      const outcome = await attempt(ask())
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
