import type { ApplyReport } from '@toolbridge/bridge'
import { GatewayError } from '../errors/gateway-error.ts'
import { IdleTimers } from '../lifecycle/idle-timers.ts'
import type { Closable } from '../lifecycle/resource-stack.ts'
import type { SavedServers, SavingRules } from '../settings/saved-servers.ts'
import { OwnerBridge, type OwnerBridgeOptions } from './owner-bridge.ts'

/** Options of `OwnerBridges`. */
export interface OwnerBridgesOptions {
  readonly optionsOf: (owner: string) => OwnerBridgeOptions
  /** Whether the bridge of an owner stays open while nobody uses it. */
  readonly isPermanent: (owner: string) => boolean
  /** Closes the bridge of any other owner who did not use the gateway for this time. */
  readonly idleMs: number
  /** Called with the name of such an owner. */
  readonly onIdle: (owner: string) => void
  readonly log: (line: string) => void
}

/** The bridges of all owners. Each is opened on first use, and closed when its owner is idle. */
export class OwnerBridges implements Closable {
  readonly #options: OwnerBridgesOptions
  readonly #bridges = new Map<string, Promise<OwnerBridge>>()
  readonly #closing = new Map<string, Promise<void>>()
  readonly #uses: IdleTimers
  #isClosed = false

  constructor(options: OwnerBridgesOptions) {
    this.#options = options
    this.#uses = new IdleTimers(options.idleMs, (owner) => this.#evict(owner))
  }

  /** The bridges that are open or opening. */
  get opened(): readonly Promise<OwnerBridge>[] {
    return [...this.#bridges.values()]
  }

  /** Begins a use, such as a request, during which the owner is not idle. Returns a function that ends it. */
  beginUse(owner: string): () => void {
    return this.#uses.begin(owner)
  }

  /** Concurrent first uses open one bridge. The next use retries after a failure. */
  async open(owner: string): Promise<OwnerBridge> {
    if (this.#isClosed)
      throw new GatewayError('stopping', 'the gateway is stopping its servers; try again after it restarts')
    const existing = this.#bridges.get(owner)
    if (existing !== undefined) return existing
    const opening = this.#openAfterClosing(owner)
    this.#bridges.set(owner, opening)
    opening.catch(() => this.#bridges.delete(owner))
    return opening
  }

  /** Stops the servers of an owner. The next use opens the bridge again. */
  async closeFor(owner: string): Promise<void> {
    this.#close(owner)
    await this.#closing.get(owner)
  }

  /** Returns the bridge of an owner if it is open or opening. */
  async find(owner: string): Promise<OwnerBridge | undefined> {
    return this.#bridges.get(owner)
  }

  /** What an owner may save. */
  savingRules(owner: string): SavingRules {
    const { operatorServers, savedPrograms } = this.#options.optionsOf(owner)
    return {
      taken: new Set(operatorServers.current.map(({ name }) => name)),
      programs: savedPrograms,
    }
  }

  /** Applies what the owner saved, in the background. A bridge that is not open yet reads it when it opens. */
  applySaved(owner: string, saved: SavedServers): void {
    this.#bridges.get(owner)?.then(
      (bridge) => bridge.applySaved(saved),
      () => undefined,
    )
  }

  /** Applies the operator's current servers to an owner's bridge. */
  async applyOperatorServers(owner: string): Promise<ApplyReport> {
    const bridge = await this.open(owner)
    return bridge.applyOperatorServers()
  }

  /** Applies the current rules of an owner, by default of all, to open bridges. Others get them when they open. */
  async refreshPermissions(owner?: string): Promise<void> {
    const opening = owner === undefined ? [...this.#bridges.values()] : [this.#bridges.get(owner)]
    await Promise.all(opening.map(async (each) => (await each?.catch(() => undefined))?.refreshPermissions()))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#uses.clear()
    await Promise.all(this.#closing.values())
    const closing = [...this.#bridges.values()].map(async (opening) => {
      const bridge = await opening.catch(() => undefined)
      await bridge?.close()
    })
    const failures = (await Promise.allSettled(closing)).flatMap((end) =>
      end.status === 'rejected' ? [end.reason] : [],
    )
    if (failures.length > 0) throw new AggregateError(failures, 'some servers could not be stopped')
  }

  /** Two processes of one server could disturb each other, so a new bridge waits until the previous one has closed. */
  async #openAfterClosing(owner: string): Promise<OwnerBridge> {
    await this.#closing.get(owner)
    return OwnerBridge.open(this.#options.optionsOf(owner))
  }

  #evict(owner: string): void {
    const { isPermanent, onIdle } = this.#options
    if (isPermanent(owner)) return
    onIdle(owner)
    this.#close(owner)
  }

  #close(owner: string): void {
    const opened = this.#bridges.get(owner)
    if (opened === undefined) return
    this.#bridges.delete(owner)
    const closing = closeLogged(opened, this.#options.log)
    this.#closing.set(owner, closing)
    void closing.then(() => {
      if (this.#closing.get(owner) === closing) this.#closing.delete(owner)
    })
  }
}

async function closeLogged(opened: Promise<OwnerBridge>, log: (line: string) => void): Promise<void> {
  try {
    await (await opened).close()
  } catch (error) {
    log(`the servers of a person could not be stopped: ${String(error)}`)
  }
}
