import type { EraVerdict } from '@toolbridge/client'
import { abortable } from '@toolbridge/client/internal'
import { isPerOrigin, type QuestionPolicy } from '../../elicitation/question-policy.ts'
import type { Answerer } from '../../elicitation/question.ts'
import type { Origin } from '../../origin.ts'
import type { Caller, Channel } from './claim.ts'
import type { Closable, ConnectionPool, Slot } from './connection-pool.ts'
import { anonymousScope, type ConnectionScope, sharedScope } from './connection-scope.ts'

/** A connection that is shared, or belongs to one caller at a time. */
interface MaybeShared {
  /** Whether the server may ask outside of results, so that only the claimant may use the connection. */
  readonly mayAskLate: boolean
}

export interface ConnectionScopesOptions {
  readonly server: () => string
  /** The bridge's own origin. */
  readonly own: Origin
  /** The bridge's answerer, which is the channel of its own principal. */
  readonly answerer: Answerer | undefined
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

  isOwn({ principal, conversation, index }: ConnectionScope): boolean {
    const { own } = this.#options
    return principal === own.principal && conversation === own.conversation && index === undefined
  }

  /** Enters the slot for a call: one that no caller on another channel uses where the server can ask at any time. */
  enter<C extends Closable>(pool: ConnectionPool<C>, caller: Caller): Slot<C> {
    return !this.#isModern && this.#isPerOrigin
      ? this.#enterAlone(pool, caller)
      : pool.enter(this.#sharedScopeOf(caller.origin))
  }

  /** Whether a call may use the open connection of a slot: its questions can be attributed to the caller. */
  serves({ mayAskLate }: MaybeShared, { claim }: Slot<unknown>, caller: Caller): boolean {
    return !mayAskLate || claim.belongsTo(caller.origin, this.#channelOf(caller))
  }

  /**
   * Returns the connection for a call and puts its slot into `taken`. The era of a server may differ from that of its
   * last connection; if the connection then cannot be shared, one that serves only this caller is used.
   */
  async connectionFor<C extends Closable & MaybeShared>(
    pool: ConnectionPool<C>,
    caller: Caller,
    taken: { slot: Slot<C> | undefined },
    signal: AbortSignal | undefined,
  ): Promise<C> {
    for (;;) {
      taken.slot ??= this.enter(pool, caller)
      const connection = await openedOf(taken, taken.slot, signal)
      if (this.serves(connection, taken.slot, caller)) return connection
      pool.leave(taken.slot)
      // Entering throws once the pool is closed; the slot must not be left twice.
      taken.slot = undefined
      taken.slot = this.#enterAlone(pool, caller)
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

  #enterAlone<C extends Closable>(pool: ConnectionPool<C>, caller: Caller): Slot<C> {
    return pool.enterAlone(this.#scopeOf(caller.origin), caller, this.#channelOf(caller))
  }

  #scopeOf(origin: Origin): ConnectionScope {
    const { own } = this.#options
    if (this.isOwn(origin)) return own
    if (origin.isAnonymous !== true) return origin
    const isLikeOwn = own.isAnonymous === true && origin.principal === own.principal
    return isLikeOwn ? own : anonymousScope(origin.principal)
  }

  #sharedScopeOf({ principal }: Origin): ConnectionScope {
    const { own } = this.#options
    return principal === own.principal ? own : sharedScope(principal)
  }

  #channelOf({ origin, answerer }: Caller): Channel {
    const { own, answerer: ofBridge } = this.#options
    const used = answerer ?? (origin.principal === own.principal ? ofBridge : undefined)
    return used?.channel ?? used
  }

  get #isPerOrigin(): boolean {
    return isPerOrigin(this.#options.questions, this.#options.server())
  }
}

/** Waits for the connection of a slot, or of the one that its users were moved to. */
async function openedOf<C>(
  taken: { slot: Slot<C> | undefined },
  slot: Slot<C>,
  signal: AbortSignal | undefined,
): Promise<C> {
  try {
    return slot.opened ?? (await abortable(slot.connection, signal))
  } catch (error) {
    const { movedTo } = slot
    if (movedTo === undefined || signal?.aborted === true) throw error
    taken.slot = movedTo
    return movedTo.opened ?? movedTo.connection
  }
}
