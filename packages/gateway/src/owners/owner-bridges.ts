import type { ApplyReport } from '@toolbridge/bridge'
import { GatewayError } from '../errors/gateway-error.ts'
import type { Closable } from '../lifecycle/resource-stack.ts'
import type { SavedServers, SavingRules } from '../settings/saved-servers.ts'
import { OwnerBridge, type OwnerBridgeOptions } from './owner-bridge.ts'

/** The bridges of all owners. Each is opened on first use and stays open until `close`. */
export class OwnerBridges implements Closable {
  readonly #optionsOf: (owner: string) => OwnerBridgeOptions
  readonly #bridges = new Map<string, Promise<OwnerBridge>>()
  #isClosed = false

  constructor(optionsOf: (owner: string) => OwnerBridgeOptions) {
    this.#optionsOf = optionsOf
  }

  /** Concurrent first uses open one bridge. The next use retries after a failure. */
  async open(owner: string): Promise<OwnerBridge> {
    if (this.#isClosed)
      throw new GatewayError('stopping', 'the gateway is stopping its servers; try again after it restarts')
    const existing = this.#bridges.get(owner)
    if (existing !== undefined) return existing
    const opening = OwnerBridge.open(this.#optionsOf(owner))
    this.#bridges.set(owner, opening)
    opening.catch(() => this.#bridges.delete(owner))
    return opening
  }

  /** Stops the servers of an owner. The next use opens the bridge again. */
  async closeFor(owner: string): Promise<void> {
    const opening = this.#bridges.get(owner)
    this.#bridges.delete(owner)
    const bridge = await opening?.catch(() => undefined)
    await bridge?.close()
  }

  /** What an owner may save. */
  savingRules(owner: string): SavingRules {
    const { operatorServers, savedPrograms } = this.#optionsOf(owner)
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
    const closing = [...this.#bridges.values()].map(async (opening) => {
      const bridge = await opening.catch(() => undefined)
      await bridge?.close()
    })
    const failures = (await Promise.allSettled(closing)).flatMap((end) =>
      end.status === 'rejected' ? [end.reason] : [],
    )
    if (failures.length > 0) throw new AggregateError(failures, 'some servers could not be stopped')
  }
}
