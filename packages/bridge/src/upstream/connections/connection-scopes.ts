import type { EraVerdict } from '@toolbridge/client'
import { abortable } from '@toolbridge/client/internal'
import { isPerOrigin, type QuestionPolicy } from '../../elicitation/question-policy.ts'
import type { Origin } from '../../origin.ts'
import type { Closable, ConnectionPool, Slot } from './connection-pool.ts'
import { type ConnectionScope, sharedScope } from './connection-scope.ts'

/** A connection that may not be for everybody. */
interface Serving {
  serves(origin: Origin): boolean
}

export interface ConnectionScopesOptions {
  readonly server: () => string
  /** The bridge's own origin. */
  readonly own: Origin
  readonly questions: QuestionPolicy
}

/** Which connection to one server the calls of an origin take. */
export class ConnectionScopes {
  /** What the bridge's own connection found out about the server's era, so that the others need not. */
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

  /** An origin's own where the server can ask at any time, else its principal's. */
  scopeOf(origin: Origin): ConnectionScope {
    const { own } = this.#options
    if (this.isOwn(origin)) return own
    if (!this.#isModern && this.#isPerOrigin) return origin
    return origin.principal === own.principal ? own : sharedScope(origin.principal)
  }

  /**
   * The connection for an origin, which `taken` then has the place of. A server may have changed how it asks since it was
   * last connected to, or ask in different ways from one connection to the next: then the connection is the origin's own,
   * which always serves it.
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
      // Not left twice when a pool that is closed lets nobody enter.
      taken.slot = undefined
      taken.slot = pool.enter(origin)
    }
  }

  /** Whether the server may ask at any time over the connection of a scope. */
  mayAskAnytime(scope: ConnectionScope): boolean {
    return scope.isShared !== true && this.#isPerOrigin
  }

  /** A connection is open and tells whether the server asks in the results of calls, and in no other way. */
  opened({ isModern }: { readonly isModern: boolean }): void {
    this.#isModern = isModern
  }

  get #isPerOrigin(): boolean {
    return isPerOrigin(this.#options.questions, this.#options.server())
  }
}
