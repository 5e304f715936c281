import { GatewayError } from '../errors/gateway-error.ts'
import { Counts } from '../lifecycle/counts.ts'

const maxPerPrincipal = 64

/** Bounds the event streams of each principal: each keeps what its reader has not read. */
export class OpenStreams {
  readonly #ofPrincipal = new Counts()

  /** Counts a stream. Returns a function to call once at its end. Throws a `GatewayError` if the principal has too many. */
  begin(principal: string): () => void {
    if (this.#ofPrincipal.get(principal) >= maxPerPrincipal) throw tooMany()
    this.#ofPrincipal.add(principal, 1)
    return () => this.#ofPrincipal.add(principal, -1)
  }
}

function tooMany(): GatewayError {
  return new GatewayError(
    'too_many_streams',
    `the limit is ${maxPerPrincipal} event streams; close another first`,
  )
}
