import { abortable, linkedSignal } from '@toolbridge/client/internal'
import type { ServerSpec } from '../config/spec/server-spec.ts'
import type { Origin } from '../origin.ts'
import type { Emit } from '../journal/events/emit.ts'
import { all } from '../upstream/all.ts'
import { type Plan, planChange } from './reconcile.ts'
import { explained } from '../upstream/upstream-state.ts'
import { messageOf } from '../text/message-of.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** The outcome of `apply`, by server name. Failed servers are also listed as started. */
export interface ApplyReport {
  /** Names of unchanged servers. */
  readonly kept: readonly string[]
  /** Names of servers that were started. */
  readonly started: readonly string[]
  /** Names of servers that were stopped. */
  readonly stopped: readonly string[]
  /** Servers that could not be started, with their errors. */
  readonly failed: readonly { readonly name: string; readonly error: string }[]
  /** Whether a newer change took over before this one was done. */
  readonly superseded: boolean
}

export interface FleetOptions {
  readonly emit: Emit
  /** Aborted when the bridge closes. */
  readonly closing: AbortSignal
  /** Equal for definitions that start the same server with the same rights. */
  readonly keyOf: (spec: ServerSpec) => string
  readonly create: (spec: ServerSpec) => Upstream
  /** Called when servers were added, removed or replaced. */
  readonly onChange: () => void
}

/** A server that is starting. */
interface Start {
  readonly upstream: Upstream
  /** Resolves when the server is ready or failed. */
  readonly settled: Promise<void>
}

/** One change of the servers. Only the newest one takes effect. */
interface Change {
  readonly plan: Plan
  readonly starts: readonly Start[]
  /** Names of listed servers that this change stops. */
  readonly stopped: readonly string[]
  readonly superseded: AbortController
}

/** All servers of a bridge, and the transition from one set of definitions to another. */
export class Fleet {
  readonly #options: FleetOptions
  readonly #upstreams = new Map<string, Upstream>()
  readonly #starts = new Map<string, Start>()
  /** Servers that were replaced or removed and are not closed yet. */
  readonly #leaving = new Set<Upstream>()
  #newest: Change | undefined

  constructor(options: FleetOptions) {
    this.#options = options
  }

  get upstreams(): readonly Upstream[] {
    return [...this.#upstreams.values()]
  }

  /** The definitions of the servers that are not yet ready or failed. */
  get starting(): readonly ServerSpec[] {
    const waking = this.upstreams.filter(({ state }) => state.kind === 'starting')
    return [...[...this.#starts.values()].map(({ upstream }) => upstream), ...waking].map(({ spec }) => spec)
  }

  find(name: string): Upstream | undefined {
    return this.#upstreams.get(name)
  }

  /** See `Bridge.apply`. The starts have begun when this returns. */
  async apply(servers: readonly ServerSpec[], signal: AbortSignal | undefined): Promise<ApplyReport> {
    this.#options.closing.throwIfAborted()
    signal?.throwIfAborted()
    return this.#change(this.#plan(servers), signal)
  }

  /**
   * Starts a server again with the same definition; what else runs is kept. The old one serves until the new one is ready
   * or failed. Does nothing when there is no such server.
   */
  async restart(name: string, signal: AbortSignal | undefined): Promise<void> {
    const servers = this.#definitions()
    if (!servers.some((spec) => spec.name === name)) return
    this.#options.closing.throwIfAborted()
    signal?.throwIfAborted()
    await this.#change(this.#plan(servers, name), signal)
  }

  async #change(plan: Plan, signal: AbortSignal | undefined): Promise<ApplyReport> {
    const { closing } = this.#options
    const change = this.#begin(plan)
    using ended = linkedSignal(change.superseded.signal, closing, signal)
    try {
      await abortable(this.#carryOut(change), ended.signal)
    } catch (error) {
      if (!change.superseded.signal.aborted) {
        await this.#giveUp(change.starts)
        throw error
      }
    }
    return report(change)
  }

  async releaseOrigin(origin: Origin): Promise<void> {
    await all([...this.upstreams, ...this.#leaving], (upstream) => upstream.releaseOrigin(origin))
  }

  /** Stops every server, including those that are starting. */
  async close(): Promise<void> {
    const starting = [...this.#starts.values()].map(({ upstream }) => upstream)
    const everything = new Set([...starting, ...this.#leaving, ...this.upstreams])
    await all([...everything], (upstream) => upstream.close())
  }

  /** The definitions that are in force, or will be once their servers have started. */
  #definitions(): readonly ServerSpec[] {
    const starting = [...this.#starts].map(([name, { upstream }]) => [name, upstream] as const)
    return [...new Map([...this.#upstreams, ...starting]).values()].map(({ spec }) => spec)
  }

  #plan(servers: readonly ServerSpec[], restarted?: string): Plan {
    const { keyOf } = this.#options
    const known = ({ spec }: Upstream): { name: string; key: string } => ({
      name: spec.name,
      key: keyOf(spec),
    })
    const starting = [...this.#starts.values()].map(({ upstream }) => upstream)
    const isWorthKeeping = (upstream: Upstream): boolean =>
      upstream.isWorthKeeping && upstream.spec.name !== restarted
    const running = this.upstreams.filter((upstream) => !starting.includes(upstream))
    return planChange(
      {
        running: running.filter(isWorthKeeping).map(known),
        starting: starting.filter(isWorthKeeping).map(known),
      },
      servers,
      keyOf,
    )
  }

  /** Supersedes the previous change. Its starts continue if they are still wanted, else they are stopped. */
  #begin(plan: Plan): Change {
    this.#newest?.superseded.abort()
    const proceeding = plan.proceed.flatMap((spec) => this.#proceed(spec))
    const stopped = this.#replacedBy(plan, proceeding)
    const unwanted = [...this.#starts.values()].filter((start) => !proceeding.includes(start))
    void this.#giveUp(unwanted)
    const starts = [...proceeding, ...plan.start.map((spec) => this.#start(spec))]
    this.#newest = { plan, starts, stopped, superseded: new AbortController() }
    return this.#newest
  }

  #proceed(spec: ServerSpec): Start | readonly [] {
    const start = this.#starts.get(spec.name)
    start?.upstream.adopt(spec)
    return start ?? []
  }

  #replacedBy({ keep }: Plan, proceeding: readonly Start[]): readonly string[] {
    const staying = new Set<Upstream | undefined>([
      ...keep.map((spec) => this.#upstreams.get(spec.name)),
      ...proceeding.map(({ upstream }) => upstream),
    ])
    return this.upstreams.filter((upstream) => !staying.has(upstream)).map(({ spec }) => spec.name)
  }

  #start(spec: ServerSpec): Start {
    const upstream = this.#options.create(spec)
    const start = { upstream, settled: upstream.start() }
    this.#starts.set(spec.name, start)
    return start
  }

  /** Waits for required servers, then lists each server as soon as it is ready or failed. */
  async #carryOut(change: Change): Promise<void> {
    const required = change.starts.filter(({ upstream }) => upstream.spec.required)
    if (required.length > 0) await requiredAreReady(required)
    if (change.superseded.signal.aborted) return
    const stopping = this.#rearrange(change)
    await Promise.all([...stopping, ...change.starts.map((start) => this.#takePlace(start, change))])
  }

  /** Lists new servers and unlists removed ones. */
  #rearrange({ plan, starts, stopped }: Change): readonly Promise<void>[] {
    for (const spec of plan.keep) this.#upstreams.get(spec.name)?.adopt(spec)
    const successors = new Map(starts.map(({ upstream }) => [upstream.spec.name, upstream]))
    const leaving = stopped.flatMap((name) => {
      const upstream = this.#upstreams.get(name)
      return upstream !== undefined && (!successors.has(name) || !upstream.isServing) ? upstream : []
    })
    for (const { spec } of leaving) this.#upstreams.delete(spec.name)
    for (const [name, upstream] of successors)
      if (!this.#upstreams.has(name)) this.#upstreams.set(name, upstream)
    this.#options.onChange()
    return leaving.map((upstream) => this.#retire(upstream))
  }

  /** Lists a server once it is ready or failed, and retires the one it replaces. */
  async #takePlace(start: Start, { superseded }: Change): Promise<void> {
    const { name } = start.upstream.spec
    await start.settled
    if (superseded.signal.aborted || this.#starts.get(name) !== start) return
    const replaced = this.#upstreams.get(name)
    this.#starts.delete(name)
    this.#upstreams.set(name, start.upstream)
    this.#options.onChange()
    if (replaced !== undefined && replaced !== start.upstream) await this.#retire(replaced)
  }

  /** Stops starts that are not listed yet. The servers that they would replace stay. */
  async #giveUp(starts: readonly Start[]): Promise<void> {
    const pending = starts.filter((start) => this.#starts.get(start.upstream.spec.name) === start)
    for (const { upstream } of pending) {
      const { name } = upstream.spec
      this.#starts.delete(name)
      if (this.#upstreams.get(name) === upstream) this.#upstreams.delete(name)
    }
    if (pending.length > 0) this.#options.onChange()
    await Promise.all(pending.map(({ upstream }) => this.#leave(upstream, upstream.close())))
  }

  /** Does not wait for a busy server: a person may take hours to answer its question. */
  async #retire(upstream: Upstream): Promise<void> {
    const { isBusy } = upstream
    const left = this.#leave(upstream, upstream.retire())
    if (!isBusy) await left
  }

  async #leave(upstream: Upstream, closed: Promise<void>): Promise<void> {
    this.#leaving.add(upstream)
    try {
      await closed
    } catch (error) {
      const server = upstream.spec.name
      const message = `server "${server}" could not be stopped: ${messageOf(error)}`
      this.#options.emit({ type: 'diagnostic', code: 'server_not_stopped', server, message })
    } finally {
      this.#leaving.delete(upstream)
    }
  }
}

/** Rejects when the first of them fails. */
async function requiredAreReady(starts: readonly Start[]): Promise<void> {
  await Promise.all(
    starts.map(async ({ upstream, settled }) => {
      await settled
      const { spec, state } = upstream
      if (!upstream.isWorthKeeping && 'error' in state)
        throw explained(spec.name, 'is required and did not start', state.error)
    }),
  )
}

function report({ plan, starts, stopped, superseded }: Change): ApplyReport {
  return {
    kept: plan.keep.map((spec) => spec.name),
    started: starts.map(({ upstream }) => upstream.spec.name),
    stopped,
    failed: starts.flatMap(({ upstream: { spec, state, isWorthKeeping } }) =>
      !isWorthKeeping && 'error' in state ? [{ name: spec.name, error: messageOf(state.error) }] : [],
    ),
    superseded: superseded.signal.aborted,
  }
}
