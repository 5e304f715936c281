import type { JsonWebKey } from '../messages/oauth-documents.ts'
import { type DpopKey, dpopNonceOf, dpopProof, importDpopKey, withDpopProof } from './dpop-proof.ts'
import type { AuthRequest } from '../messages/auth-request.ts'

/** Creates proofs with the latest nonce of each server. */
export class DpopProver {
  readonly #nonces = new Map<string, string>()
  readonly #keys = new WeakMap<JsonWebKey, Promise<DpopKey>>()

  /** Stores the nonce of a response; false if there is no valid one. */
  rememberNonce(url: string, nonce: string | undefined): boolean {
    const usable = nonce === undefined ? undefined : dpopNonceOf({ 'dpop-nonce': nonce })
    if (usable !== undefined) this.#nonces.set(new URL(url).origin, usable)
    return usable !== undefined
  }

  /** The headers of a request to a resource, with a token that is bound to the key. */
  async headers(
    jwk: JsonWebKey,
    accessToken: string,
    request: { readonly method: string; readonly url: string },
  ): Promise<Readonly<Record<string, string>>> {
    const target = { ...request, accessToken, nonce: this.#nonceOf(request.url) }
    return { authorization: `DPoP ${accessToken}`, dpop: await dpopProof(await this.#key(jwk), target) }
  }

  /** The request with a proof, if there is a key. */
  async attach(request: AuthRequest, jwk: JsonWebKey | undefined): Promise<AuthRequest> {
    if (jwk === undefined) return request
    return withDpopProof(request, await this.#key(jwk), this.#nonceOf(request.url))
  }

  #nonceOf(url: string): string | undefined {
    return this.#nonces.get(new URL(url).origin)
  }

  #key(jwk: JsonWebKey): Promise<DpopKey> {
    const known = this.#keys.get(jwk) ?? importDpopKey(jwk)
    this.#keys.set(jwk, known)
    return known
  }
}
