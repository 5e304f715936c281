import type {
  AuthorizationState,
  CredentialsRequest,
  McpAuthorization,
  McpResponseHead,
  RefusedRequest,
} from '@toolbridge/client'

type Headers = Readonly<Record<string, string>>

const none: Headers = {}

/** An authorization that keeps what the responses of the server show. */
export class ObservedAuthorization implements McpAuthorization {
  readonly #inner: McpAuthorization | undefined
  /** The refusal of a request for missing credentials or permissions. */
  refusal: { readonly status: number; readonly challenge: string } | undefined
  /** Whether a request was sent with a token of a sign-in. */
  hasToken = false
  /** Whether the server assigned a session id. */
  hasSession = false
  /** Media type of the last response with status 200. */
  contentType: string | undefined

  constructor(inner: McpAuthorization | undefined) {
    this.#inner = inner
  }

  get authorizationUrl(): string | undefined {
    return this.#inner?.authorizationUrl
  }

  async authorize(options?: { readonly signal?: AbortSignal }): Promise<AuthorizationState> {
    return (await this.#inner?.authorize(options)) ?? 'unknown'
  }

  async headersFor(request: CredentialsRequest): Promise<Headers> {
    const headers = (await this.#inner?.headersFor(request)) ?? none
    if (headers !== none && Object.keys(headers).length > 0) this.hasToken = true
    return headers
  }

  async onRefused(refusal: RefusedRequest, options?: { readonly signal?: AbortSignal }): Promise<boolean> {
    const challenge = refusal.header('www-authenticate') ?? ''
    this.refusal = { status: refusal.status, challenge }
    return (await this.#inner?.onRefused(refusal, options)) ?? false
  }

  onResponse(response: McpResponseHead): void {
    this.#inner?.onResponse?.(response)
    if (response.header('mcp-session-id') !== undefined) this.hasSession = true
    if (response.status === 200)
      this.contentType = response.header('content-type')?.split(';', 1)[0]?.toLowerCase()
  }
}
