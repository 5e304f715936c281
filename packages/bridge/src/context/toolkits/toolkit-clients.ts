import { createHash } from 'node:crypto'
import type { McpTransport } from '@toolbridge/client'
import { abortable } from '@toolbridge/client/internal'
import type { Bridge } from '../../bridge.ts'
import { secretsUsedBy } from '../../config/resolve/input-destination.ts'
import { specHash } from '../../config/spec/spec-hash.ts'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import { all } from '../../upstream/all.ts'
import type { Clock } from '../../async/clock.ts'
import { DeniedError } from '../../errors.ts'
import { closedError } from '../../upstream/connections/launch.ts'
import type { ExecutionPrincipal } from '../execution-context.ts'

/** Identifies a client. */
export interface ClientRequest {
  /** The workflow, or another scope that separates clients. */
  readonly scope: string
  readonly principal: ExecutionPrincipal
  readonly spec: ServerSpec
  /** A transport to use instead of the definition. */
  readonly link?: McpTransport
  /** The secrets that the definition uses, by name. */
  readonly secrets: Secrets
  /** Unique key of the client. */
  readonly key: string
}

type Secrets = Readonly<Record<string, string>>

/** What a client may use besides its definition. */
export interface ClientResources {
  readonly link?: McpTransport | undefined
  /** Secrets by name. */
  readonly secrets?: Secrets | undefined
}

/** Creates a request. Clients are not shared across workflows, principals, definitions or values of secrets. */
export function clientRequest(
  scope: string,
  principal: ExecutionPrincipal,
  spec: ServerSpec,
  { link, secrets }: ClientResources = {},
): ClientRequest {
  const { hash, secretNames } = identityOf(spec)
  const used = secrets === undefined ? noSecrets : secretsFor(secretNames, secrets)
  const key = JSON.stringify([scope, principal.kind, principal.id, hash, digestOf(used)])
  return { scope, principal, spec, key, secrets: used, ...(link === undefined ? {} : { link }) }
}

const noSecrets: Secrets = {}

/** What the key of a client needs of its definition. */
interface SpecIdentity {
  readonly hash: string
  /** The names of the secrets that the definition uses. */
  readonly secretNames: readonly string[]
}

/** A workflow that runs often has the same definitions each time. */
const identities = new WeakMap<ServerSpec, SpecIdentity>()

function identityOf(spec: ServerSpec): SpecIdentity {
  const known = identities.get(spec)
  if (known !== undefined) return known
  const identity = { hash: specHash(spec), secretNames: secretsUsedBy(spec) }
  identities.set(spec, identity)
  return identity
}

function secretsFor(wanted: readonly string[], secrets: Secrets): Secrets {
  const names = wanted.filter((name) => Object.hasOwn(secrets, name))
  return names.length === 0 ? noSecrets : Object.fromEntries(names.map((name) => [name, secrets[name] ?? '']))
}

function digestOf(secrets: Secrets): string | undefined {
  if (secrets === noSecrets) return undefined
  return createHash('sha256').update(JSON.stringify(secrets)).digest('base64')
}

/** The use of a client, for quotas: an unused one is closed for a connection that needs its place. */
export interface ClientUse {
  /** For how many milliseconds the client has been unused; undefined while it is opening or in use. */
  idleMs(): number | undefined
  /** Closes the client if it is unused. Returns whether it was. */
  evict(): boolean
}

export interface ToolkitClientsOptions {
  /** Opens a client. Rejects, without leaving anything behind, if its server does not start. */
  readonly open: (wanted: ClientRequest, signal: AbortSignal, use: ClientUse) => Promise<Bridge>
  /** Idle time after which a client is closed. */
  readonly idleMs: number
  /** Maximum number of open clients per principal. Default: no limit. */
  readonly maxClients?: number | undefined
  readonly clock: Clock
}

/** A client, open or opening, and the number of its users. */
interface Slot {
  readonly wanted: ClientRequest
  readonly giveUp: AbortController
  readonly opening: Promise<Bridge>
  opened: Bridge | undefined
  users: number
  idleSince: number
  stopWaiting: (() => void) | undefined
  closing: Promise<void> | undefined
}

/**
 * The clients of toolkits: one per workflow, principal and definition, opened once on first use and closed when idle, or for
 * another one of a principal that has too many. A client that failed to open, or whose server failed permanently, is replaced
 * on the next use.
 */
export class ToolkitClients {
  readonly #options: ToolkitClientsOptions
  readonly #slots = new Map<string, Slot>()
  /** Removed clients that are closed when their last user is done. */
  readonly #leaving = new Set<Slot>()
  #isClosed = false

  constructor(options: ToolkitClientsOptions) {
    this.#options = options
  }

  /** The clients that are open or opening. */
  get list(): readonly ClientRequest[] {
    return [...this.#slots.values()].map(({ wanted }) => wanted)
  }

  /** Returns the client if it is open, for a caller that is about to use it. Drops it first if its server failed permanently. */
  opened({ key }: ClientRequest): Bridge | undefined {
    const slot = this.#slots.get(key)
    if (slot?.opened === undefined) return undefined
    slot.idleSince = this.#options.clock.now()
    if (!isBroken(slot.opened)) return slot.opened
    this.#retire(slot)
    return undefined
  }

  /** Runs `work` on the client, opened if necessary. An abort does not stop the opening for other users. */
  async use<T>(
    wanted: ClientRequest,
    signal: AbortSignal | undefined,
    work: (bridge: Bridge) => Promise<T>,
  ): Promise<T> {
    const slot = this.#slotOf(wanted)
    slot.users += 1
    try {
      return await work(slot.opened ?? (await abortable(slot.opening, signal)))
    } finally {
      this.#leave(slot)
    }
  }

  /** Closes the matching clients. A client in use gets no new users and is closed when they are done. */
  async clear(isMeant: (client: ClientRequest) => boolean): Promise<void> {
    const meant = [...this.#slots.values()].filter(({ wanted }) => isMeant(wanted))
    for (const slot of meant) this.#retire(slot)
    await all(
      meant.filter(({ users }) => users === 0),
      closed,
    )
  }

  /** Closes every client; calls in flight fail. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const slot of this.#slots.values()) this.#retire(slot)
    const leaving = [...this.#leaving]
    for (const slot of leaving) this.#close(slot)
    await all(leaving, closed)
  }

  #slotOf(wanted: ClientRequest): Slot {
    if (this.#isClosed) throw closedError('the toolkits were closed')
    const known = this.#slots.get(wanted.key)
    if (known !== undefined) return known
    this.#makeSpaceFor(wanted.principal)
    const slot = this.#open(wanted)
    this.#slots.set(wanted.key, slot)
    return slot
  }

  /** Closes the longest unused client of a principal that has as many as it may. */
  #makeSpaceFor({ id, kind }: ExecutionPrincipal): void {
    const { maxClients = Infinity } = this.#options
    const own = [...this.#slots.values()].filter(
      ({ wanted: { principal } }) => principal.id === id && principal.kind === kind,
    )
    if (own.length < maxClients) return
    const [unused] = own.filter(({ users }) => users === 0).toSorted((a, b) => a.idleSince - b.idleSince)
    if (unused === undefined) throw tooManyClients(maxClients)
    this.#retire(unused)
  }

  #open(wanted: ClientRequest): Slot {
    const giveUp = new AbortController()
    const use: ClientUse = { idleMs: () => this.#idleMs(slot), evict: () => this.#evict(slot) }
    const slot: Slot = {
      wanted,
      giveUp,
      opening: this.#options.open(wanted, giveUp.signal, use),
      opened: undefined,
      users: 0,
      idleSince: 0,
      stopWaiting: undefined,
      closing: undefined,
    }
    slot.opening.then(
      (bridge) => {
        slot.opened = bridge
      },
      () => this.#forget(slot),
    )
    return slot
  }

  #idleMs({ opened, users, idleSince }: Slot): number | undefined {
    return opened === undefined || users > 0 ? undefined : this.#options.clock.now() - idleSince
  }

  #evict(slot: Slot): boolean {
    const isUnused = this.#idleMs(slot) !== undefined
    if (isUnused) this.#retire(slot)
    return isUnused
  }

  #leave(slot: Slot): void {
    slot.users -= 1
    if (slot.users > 0) return
    slot.idleSince = this.#options.clock.now()
    if (this.#leaving.has(slot)) this.#close(slot)
    else if (slot.stopWaiting === undefined && this.#slots.get(slot.wanted.key) === slot)
      this.#closeWhenIdle(slot, this.#options.idleMs)
  }

  /** Checks again when the time is up instead of rescheduling after each use. */
  #closeWhenIdle(slot: Slot, delayMs: number): void {
    const { clock, idleMs } = this.#options
    slot.stopWaiting = clock.after(delayMs, () => {
      slot.stopWaiting = undefined
      const leftMs = slot.idleSince + idleMs - clock.now()
      if (slot.users > 0) return
      if (leftMs > 0) this.#closeWhenIdle(slot, leftMs)
      else this.#retire(slot)
    })
  }

  #retire(slot: Slot): void {
    this.#unlist(slot)
    slot.stopWaiting?.()
    this.#leaving.add(slot)
    if (slot.users === 0) this.#close(slot)
  }

  #forget(slot: Slot): void {
    this.#unlist(slot)
    slot.stopWaiting?.()
    this.#leaving.delete(slot)
  }

  #unlist(slot: Slot): void {
    const { key } = slot.wanted
    if (this.#slots.get(key) === slot) this.#slots.delete(key)
  }

  #close(slot: Slot): void {
    slot.closing ??= closeSlot(slot).finally(() => this.#leaving.delete(slot))
    // `close` reports a failure; for an idle client there is no caller to report to.
    slot.closing.catch(() => {})
  }
}

function tooManyClients(maxClients: number): DeniedError {
  const message = `client limit reached (${maxClients} per user), and all are in use; try again later`
  return new DeniedError(message, { code: 'quota_exceeded' })
}

async function closeSlot({ giveUp, opening }: Slot): Promise<void> {
  giveUp.abort(closedError('the toolkits were closed'))
  const bridge = await opening.catch(() => undefined)
  await bridge?.close()
}

async function closed({ closing }: Slot): Promise<void> {
  await closing
}

/** A broken client is reopened on the next use. */
function isBroken(bridge: Bridge): boolean {
  return bridge.status().some(({ state }) => state === 'failed' || state === 'unauthorized')
}
