import type { CredentialsRequest } from '../../http/mcp-authorization.ts'
import type { AuthContext } from '../tokens/auth-context.ts'
import type { StoredTokens } from '../tokens/refresh-exchange.ts'
import type { ServerTokens } from './server-tokens.ts'

type Headers = Readonly<Record<string, string>>

const NO_HEADERS: Headers = Object.freeze({})

/** Creates request headers from tokens, and finds the tokens of the headers of a request. */
export class Credentials {
  readonly #context: AuthContext
  readonly #sent = new WeakMap<Headers, StoredTokens>()
  #bearer: { readonly held: StoredTokens; readonly headers: Headers } | undefined

  constructor(context: AuthContext) {
    this.#context = context
  }

  /** Synchronous, and the same object for the same token, unless the token must be refreshed or a proof signed. */
  headersFor(request: CredentialsRequest, tokens: ServerTokens | undefined): Headers | Promise<Headers> {
    if (!this.#isFor(request.url)) return Promise.reject(notFor(this.#context.serverUrl, request.url))
    if (tokens === undefined) return NO_HEADERS
    const held = tokens.manager.peek()
    if (held !== undefined && held.tokens.token_type === 'Bearer') return this.#bearerHeaders(held)
    return this.#currentHeaders(request, tokens)
  }

  /** The tokens of headers that were created here. */
  sentWith(headers: Headers): StoredTokens | undefined {
    return this.#sent.get(headers)
  }

  /** A token is sent only to the server that it is for. */
  #isFor(url: string): boolean {
    const { serverUrl } = this.#context
    return url === serverUrl || new URL(url).origin === new URL(serverUrl).origin
  }

  #bearerHeaders(held: StoredTokens): Headers {
    if (this.#bearer?.held !== held) {
      const headers = { authorization: `Bearer ${held.tokens.access_token}` }
      this.#bearer = { held, headers }
      this.#sent.set(headers, held)
    }
    return this.#bearer.headers
  }

  async #currentHeaders(request: CredentialsRequest, tokens: ServerTokens): Promise<Headers> {
    const held = await tokens.current()
    if (held === undefined) return NO_HEADERS
    if (held.dpopKey === undefined || held.tokens.token_type === 'Bearer') return this.#bearerHeaders(held)
    const headers = await this.#context.proofs.headers(held.dpopKey, held.tokens.access_token, request)
    this.#sent.set(headers, held)
    return headers
  }
}

function notFor(serverUrl: string, url: string): TypeError {
  const [intended, asked] = [new URL(serverUrl).origin, new URL(url).origin]
  return new TypeError(`this authorization is for ${intended}, not for ${asked}; create one for each server`)
}
