import {
  type AuthContext,
  isTokenRejection,
  isNonceRefusal,
  isAuthorizationServerMissing,
} from '../tokens/auth-context.ts'
import { type AuthorizationTarget, findServerMetadata } from '../discovery/discovery.ts'
import type { AuthorizationServerMetadata, ClientInformation } from '../messages/oauth-documents.ts'
import type { AuthRequest } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import type { Grant } from '../grants/grant.ts'
import type { KnownServer } from '../stores/auth-store.ts'
import type { StoredTokens, RefreshExchange } from '../tokens/refresh-exchange.ts'
import { processRevocation, revocationRequest } from '../tokens/revocation.ts'
import { assumedServerMetadata } from '../discovery/server-metadata.ts'
import { createTokenManager, type TokenManager } from '../tokens/token-manager.ts'
import { processTokens, refreshRequest } from '../tokens/token-endpoint.ts'

/** The tokens of one MCP server from one authorization server. */
export class ServerTokens {
  readonly manager: TokenManager
  /** Why the last tokens could not be used, until there are new ones. */
  lastError: McpAuthError | undefined
  readonly #context: AuthContext
  readonly #grant: Grant
  #known: KnownServer
  #server: AuthorizationServerMetadata | undefined

  constructor(context: AuthContext, grant: Grant, known: KnownServer) {
    this.#context = context
    this.#grant = grant
    this.#known = known
    const { provider, send, now, principal } = context
    const key = { issuer: known.issuer, resource: known.resource, principal }
    this.manager = createTokenManager({ provider, key, exchange: this.#exchange(), send, now })
  }

  isFor({ issuer, resource }: KnownServer): boolean {
    return this.#known.issuer === issuer && this.#known.resource === resource
  }

  /** Applies new results of discovery. */
  update(known: KnownServer, target: AuthorizationTarget): void {
    this.#known = known
    this.#server = target.server
  }

  /** Tokens that can be sent now; undefined if there are none. */
  async current(signal?: AbortSignal): Promise<StoredTokens | undefined> {
    return this.#unlessUseless(() => this.manager.current(optional(signal)))
  }

  /** Tokens that replace those that the server refused. */
  async replace(refused: StoredTokens, signal?: AbortSignal): Promise<StoredTokens | undefined> {
    return this.#unlessUseless(() => this.manager.replace(refused, optional(signal)))
  }

  /** Revokes the tokens at the authorization server if it supports that, and removes them from the store. */
  async revoke(signal?: AbortSignal): Promise<void> {
    const record = await this.#context.provider.tokens(this.#key)
    try {
      if (record !== undefined && record.state.kind !== 'dropped') {
        const { client, state } = record
        const { refresh_token, access_token } = state.tokens
        if (refresh_token !== undefined) await this.#revoke(refresh_token, 'refresh_token', client, signal)
        await this.#revoke(access_token, 'access_token', client, signal)
      }
    } finally {
      await this.manager.drop('revoked')
    }
  }

  get #key(): { issuer: string; resource: string; principal: string } {
    const { issuer, resource } = this.#known
    return { issuer, resource, principal: this.#context.principal }
  }

  /**
   * Undefined also if the authorization server is missing: the MCP server may have moved to another one, which it names
   * in response to a request without tokens.
   */
  async #unlessUseless(get: () => Promise<StoredTokens | undefined>): Promise<StoredTokens | undefined> {
    try {
      const held = await get()
      if (held !== undefined) this.lastError = undefined
      return held
    } catch (error) {
      // Its endpoints may have moved, so they are looked up again.
      this.#server = undefined
      if (!isTokenRejection(error) && !isAuthorizationServerMissing(error)) throw error
      this.lastError = error
      return undefined
    }
  }

  async #revoke(
    token: string,
    hint: 'access_token' | 'refresh_token',
    client: ClientInformation | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const server = await this.#metadata(signal)
    const { revocation_endpoint: revocationEndpoint } = server
    if (revocationEndpoint === undefined) return
    const authentication = await this.#grant.authentication(this.#context, server, client)
    const request = await revocationRequest({ revocationEndpoint, authentication }, { token, hint })
    processRevocation(await this.#context.send(request, optional(signal)), { request })
  }

  #exchange(): RefreshExchange {
    const { proofs, now } = this.#context
    const request = (held: StoredTokens, signal?: AbortSignal): Promise<AuthRequest> =>
      this.#refreshRequest(held, signal)
    return {
      request: (held, { signal }) => request(held, signal),
      process(response, sent, { tokens }) {
        proofs.rememberNonce(sent.url, response.headers['dpop-nonce'])
        const requiresDpop = tokens.token_type === 'DPoP'
        return processTokens(response, { request: sent, nowMs: now(), previous: tokens, requiresDpop })
      },
      async retry(response, held) {
        if (held.dpopKey === undefined || !isNonceRefusal(response)) return undefined
        const first = await request(held)
        return proofs.rememberNonce(first.url, response.headers['dpop-nonce']) ? request(held) : undefined
      },
    }
  }

  async #refreshRequest(held: StoredTokens, signal: AbortSignal | undefined): Promise<AuthRequest> {
    const server = await this.#metadata(signal)
    const target = {
      tokenEndpoint: server.token_endpoint,
      authentication: await this.#grant.authentication(this.#context, server, held.client),
      resource: this.#known.isLegacy === true ? undefined : this.#known.resource,
    }
    const request = await refreshRequest(target, { refreshToken: held.tokens.refresh_token ?? '' })
    return this.#context.proofs.attach(request, held.dpopKey)
  }

  async #metadata(signal: AbortSignal | undefined): Promise<AuthorizationServerMetadata> {
    this.#server ??= await this.#find(signal)
    return this.#server
  }

  async #find(signal: AbortSignal | undefined): Promise<AuthorizationServerMetadata> {
    const { send, security: guard, serverUrl } = this.#context
    try {
      const options = { needsPerson: false, guard, send, ...optional(signal) }
      return await findServerMetadata(this.#known.issuer, options)
    } catch (error) {
      const isMissing = error instanceof McpAuthError && error.code === 'metadata_missing'
      if (isMissing && this.#known.isLegacy === true) return assumedServerMetadata(serverUrl)
      throw error
    }
  }
}

function optional(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}
