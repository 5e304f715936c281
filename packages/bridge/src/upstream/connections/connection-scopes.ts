import type { EraVerdict } from '@toolbridge/client'
import { abortable } from '@toolbridge/client/internal'
import { isPerOrigin, type QuestionPolicy } from '../../elicitation/question-policy.ts'
import type { Origin } from '../../origin.ts'
import type { Closable, ConnectionPool, Slot } from './connection-pool.ts'
import { type ConnectionScope, sharedScope } from './connection-scope.ts'

/** A connection that serves certain origins. */
interface Serving {
  serves(origin: Origin): boolean
}

export interface ConnectionScopesOptions {
  readonly server: () => string
  /** The bridge's own origin. */
  readonly own: Origin
  readonly questions: QuestionPolicy
}

/** Assigns the calls of each origin to a connection of one server. */
export class ConnectionScopes {
  /** The server's era as found by the bridge's own connection, to spare the others the probe. */
  readonly eras: Map<string, EraVerdict> = new Map()
  readonly #options: ConnectionScopesOptions
  #isModern = false

  constructor(options: ConnectionScopesOptions) {
    this.#options = options
  }

  isOwn({ principal, conversation }: Origin): boolean {
    const { own } = this.#options
    return principal === own.principal && conversation === own.conversation
  }

  /** The origin's own scope where the server can ask at any time, else its principal's. */
  scopeOf(origin: Origin): ConnectionScope {
    const { own } = this.#options
    if (this.isOwn(origin)) return own
    if (!this.#isModern && this.#isPerOrigin) return origin
    return origin.principal === own.principal ? own : sharedScope(origin.principal)
  }

  /**
   * Returns the connection for an origin and puts its slot into `taken`. The era of a server may differ from that of its
   * last connection; if the connection then does not serve the origin, the origin's own connection is used.
   */
  async connectionFor<C extends Closable & Serving>(
    pool: ConnectionPool<C>,
    origin: Origin,
    taken: { slot: Slot<C> | undefined },
    signal: AbortSignal | undefined,
  ): Promise<C> {
    for (;;) {
      taken.slot ??= pool.enter(this.scopeOf(origin))
      const connection = taken.slot.opened ?? (await abortable(taken.slot.connection, signal))
      if (connection.serves(origin)) return connection
      pool.leave(taken.slot)
      // `enter` throws once the pool is closed; the slot must not be left twice.
      taken.slot = undefined
      taken.slot = pool.enter(origin)
    }
  }

  /** Whether the server may ask at any time over the connection of a scope. */
  mayAskAnytime(scope: ConnectionScope): boolean {
    return scope.isShared !== true && this.#isPerOrigin
  }

  /** Records the era of a connection that opened. */
  opened({ isModern }: { readonly isModern: boolean }): void {
    this.#isModern = isModern
  }

  get #isPerOrigin(): boolean {
    return isPerOrigin(this.#options.questions, this.#options.server())
  }
}
