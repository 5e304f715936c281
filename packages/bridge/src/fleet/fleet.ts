import { abortable, KeyedMutex, linkedSignal } from '@toolbridge/client/internal'
import type { ServerSpec } from '../config/spec/server-spec.ts'
import type { Origin } from '../origin.ts'
import type { Clock } from '../async/clock.ts'
import type { Emit } from '../journal/events/emit.ts'
import { all } from '../upstream/all.ts'
import { type Plan, planChange } from './reconcile.ts'
import { type ApplyReport, type Change, report, requiredAreReady } from './change.ts'
import { FailedReplacements } from './failed-replacements.ts'
import { Gaps } from './gaps.ts'
import { mayContinue } from './replacement.ts'
import { launch, Start, startBeside } from './start.ts'
import { type ReplacedFleet, stopAndStart } from './stop-first.ts'
import type { UpstreamStatus } from '../upstream/upstream-state.ts'
import { messageOf } from '../text/message-of.ts'
import type { Upstream } from '../upstream/upstream.ts'

export interface FleetOptions {
  readonly emit: Emit
  /** Aborted when the bridge closes. */
  readonly closing: AbortSignal
  /** Equal for definitions that start the same server with the same rights. */
  readonly keyOf: (spec: ServerSpec) => string
  /** Equal for definitions with the same rights. */
  readonly rightsOf: (spec: ServerSpec) => string
  /** Rejects if the definition needs trust and is not trusted. */
  readonly requireTrust: (spec: ServerSpec) => Promise<void>
  readonly create: (spec: ServerSpec) => Upstream
  readonly clock: Clock
  /** Start timeout where the definition sets none. */
  readonly startTimeoutMs: number
  /** Called when servers were added, removed or replaced. */
  readonly onChange: () => void
}

/** All servers of a bridge, and the transition from one set of definitions to another. */
export class Fleet {
  readonly #options: FleetOptions
  readonly #upstreams = new Map<string, Upstream>()
  readonly #starts = new Map<string, Start>()
  /** Servers that were replaced or removed, with their closings. */
  readonly #leaving = new Map<Upstream, Promise<void>>()
  /** Servers that start again because their replacement failed. */
  readonly #startingAgain = new Set<Upstream>()
  readonly #failures = new FailedReplacements()
  readonly #replacements = new KeyedMutex()
  /** Servers whose calls wait for their replacement. */
  readonly gaps: Gaps = new Gaps()
  #newest: Change | undefined

  constructor(options: FleetOptions) {
    this.#options = options
  }

  get #replacedFleet(): ReplacedFleet {
    return {
      find: (name) => this.find(name),
      closings: (name) =>
        [...this.#leaving].flatMap(([{ spec }, closed]) => (spec.name === name ? closed : [])),
      requireTrust: this.#options.requireTrust,
      startMsOf: (spec) => this.#startMsOf(spec),
      stop: (upstream) => this.#leave(upstream, upstream.close()),
      isStillNeeded: (stopped, start) => this.#isStillNeeded(stopped, start),
      startAgain: (stopped) => this.#startAgain(stopped),
      conclude: (start) => this.#conclude(start),
    }
  }

  #startMsOf(spec: ServerSpec | undefined): number {
    return spec?.timeouts?.startMs ?? this.#options.startTimeoutMs
  }

  get upstreams(): readonly Upstream[] {
    return [...this.#upstreams.values()]
  }

  /** The definitions of the servers that are not yet ready or failed. */
  get starting(): readonly ServerSpec[] {
    const waking = this.upstreams.filter(({ state }) => state.kind === 'starting')
    return [...[...this.#starts.values()].map(({ upstream }) => upstream), ...waking].map(({ spec }) => spec)
  }

  /** The running definitions of servers whose new entries are invalid. */
  definitionsOf(refused: readonly string[]): readonly ServerSpec[] {
    return this.upstreams.filter((upstream) => refused.includes(upstream.spec.name)).map(({ spec }) => spec)
  }

  find(name: string): Upstream | undefined {
    return this.#upstreams.get(name)
  }

  statusOf(upstream: Upstream): UpstreamStatus {
    const { name } = upstream.spec
    const failedReplacement = this.#failures.describe(name)
    return {
      ...upstream.status,
      ...(upstream.isClosed && this.gaps.has(name) ? { state: 'starting' } : {}),
      ...(failedReplacement === undefined ? {} : { failedReplacement }),
    }
  }

  /** Resolves when calls need not wait for a replacement. Rejects when that takes longer than a start may. */
  async replaced(name: string, signal: AbortSignal | undefined): Promise<void> {
    using ended = linkedSignal(signal, this.#options.closing)
    const spec = this.find(name)?.spec
    await this.gaps.over(name, this.#startMsOf(spec), ended.signal)
  }

  /** See `Bridge.apply`. The starts have begun when this returns. */
  async apply(servers: readonly ServerSpec[], signal: AbortSignal | undefined): Promise<ApplyReport> {
    this.#options.closing.throwIfAborted()
    signal?.throwIfAborted()
    return this.#change(this.#plan(servers), signal, false)
  }

  /**
   * Starts a server again with the definition that was applied last; what else runs is kept. The old one serves until the
   * new one is ready. Does nothing when there is no such server.
   */
  async restart(name: string, signal: AbortSignal | undefined): Promise<void> {
    const servers = this.#definitions(name)
    if (!servers.some((spec) => spec.name === name)) return
    this.#options.closing.throwIfAborted()
    signal?.throwIfAborted()
    await this.#change(this.#plan(servers, name), signal, true)
  }

  async #change(plan: Plan, signal: AbortSignal | undefined, isRestart: boolean): Promise<ApplyReport> {
    const { closing } = this.#options
    const change = this.#begin(plan, isRestart)
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
    await all([...this.upstreams, ...this.#leaving.keys()], (upstream) => upstream.releaseOrigin(origin))
  }

  /** Stops every server, including those that are starting. */
  async close(): Promise<void> {
    for (const { cancelled } of this.#starts.values()) cancelled.abort()
    const starting = [...this.#starts.values()].map(({ upstream }) => upstream)
    const others = [...this.#leaving.keys(), ...this.#startingAgain]
    const everything = new Set([...starting, ...others, ...this.upstreams])
    await all([...everything], (upstream) => upstream.close())
  }

  /** The definitions that are in force, or will be once their servers have started. */
  #definitions(restarted: string): readonly ServerSpec[] {
    const starting = [...this.#starts].map(([name, { upstream }]) => [name, upstream] as const)
    return [...new Map([...this.#upstreams, ...starting])].map(([name, { spec }]) =>
      name === restarted ? (this.#failures.wantedOf(name) ?? spec) : spec,
    )
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
  #begin(plan: Plan, isRestart: boolean): Change {
    this.#newest?.superseded.abort()
    const proceeding = plan.proceed.flatMap((spec) => this.#proceed(spec))
    const stopped = this.#replacedBy(plan, proceeding)
    const unwanted = [...this.#starts.values()].filter((start) => !proceeding.includes(start))
    void this.#giveUp(unwanted)
    const starts = [...proceeding, ...plan.start.map((spec) => this.#start(spec))]
    this.#newest = { plan, starts, stopped, superseded: new AbortController(), isRestart }
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
    const replaced = this.#upstreams.get(spec.name)
    const isAfterStop = replaced?.isClosed === true || (replaced?.isServing === true && upstream.isStopFirst)
    const start = isAfterStop
      ? new Start(upstream, true, (self) => this.#startAfterStop(self))
      : new Start(upstream, false, (self) => startBeside(self, replaced))
    this.#starts.set(spec.name, start)
    if (!isAfterStop) void start.settled()
    return start
  }

  /** Calls wait while the server is replaced. A newer replacement that begins meanwhile continues the gap. */
  async #startAfterStop(start: Start): Promise<void> {
    const { name } = start
    this.gaps.enter(name)
    try {
      await this.#replacements.run(name, this.#options.closing, () =>
        stopAndStart(start, this.#replacedFleet),
      )
      if (this.find(name)?.isClosed === true) await this.#starts.get(name)?.settled()
    } catch (error) {
      start.error = error
    } finally {
      this.gaps.leave(name)
    }
  }

  /** Waits for required servers, then lists each server as soon as it is ready or failed. */
  async #carryOut(change: Change): Promise<void> {
    const required = change.starts.filter(({ upstream }) => upstream.isRequired)
    // Nothing is stopped before the others are ready.
    for (const isStopFirst of [false, true]) {
      const starts = required.filter((start) => start.isStopFirst === isStopFirst)
      if (starts.length > 0) await requiredAreReady(starts)
      if (change.superseded.signal.aborted) return
    }
    const stopping = this.#rearrange(change)
    await Promise.all([...stopping, ...change.starts.map((start) => this.#takePlace(start, change))])
  }

  /** Lists new servers and unlists removed ones. */
  #rearrange({ plan, starts, stopped, isRestart }: Change): readonly Promise<void>[] {
    for (const spec of plan.keep) {
      this.#upstreams.get(spec.name)?.adopt(spec)
      if (!isRestart) this.#failures.delete(spec.name)
    }
    const successors = new Map(starts.map(({ upstream }) => [upstream.spec.name, upstream]))
    const leaving = stopped.flatMap((name) => {
      const upstream = this.#upstreams.get(name)
      const isReplaced = successors.has(name) && (upstream?.isServing === true || this.gaps.has(name))
      return upstream === undefined || isReplaced ? [] : upstream
    })
    for (const { spec } of leaving) {
      this.#upstreams.delete(spec.name)
      this.#failures.delete(spec.name)
    }
    for (const [name, upstream] of successors)
      if (!this.#upstreams.has(name)) this.#upstreams.set(name, upstream)
    this.#options.onChange()
    return leaving.map((upstream) => this.#retire(upstream))
  }

  async #takePlace(start: Start, { superseded }: Change): Promise<void> {
    await start.settled()
    if (superseded.signal.aborted || this.#starts.get(start.name) !== start) return
    await this.#conclude(start)
  }

  /** Lists a server that is ready or failed, and retires the one it replaces. One that serves is not replaced by a failed one. */
  async #conclude(start: Start): Promise<void> {
    const { name, upstream, error } = start
    this.#starts.delete(name)
    const current = this.#upstreams.get(name)
    if (
      error !== undefined &&
      current?.isServing === true &&
      current !== upstream &&
      this.#mayContinue(current, upstream)
    )
      return this.#refuse(start, current)
    this.#upstreams.set(name, upstream)
    this.#failures.delete(name)
    this.#options.onChange()
    if (current !== undefined && current !== upstream) await this.#retire(current)
  }

  async #refuse(start: Start, current: Upstream): Promise<void> {
    const { name: server, upstream } = start
    const { emit, clock } = this.#options
    start.isRefused = true
    const { error } = this.#failures.add(upstream, start.error, new Date(clock.now()))
    await this.#leave(upstream, upstream.close())
    const message = `server "${server}" runs the previous definition: ${error}`
    emit({ type: 'diagnostic', code: 'replacement_failed', server, message })
    // The last state in the journal is that of the server that failed.
    emit({ type: 'server.state', server, state: current.state.kind })
  }

  #mayContinue({ spec }: Upstream, { spec: wanted }: Upstream): boolean {
    const { rightsOf } = this.#options
    return rightsOf(spec) === rightsOf(wanted) && mayContinue(spec, wanted)
  }

  /** Starts the definition of a server that was stopped for its replacement. */
  async #startAgain(stopped: Upstream): Promise<void> {
    const { name } = stopped.spec
    const upstream = this.#options.create(stopped.spec)
    this.#startingAgain.add(upstream)
    await launch(upstream, stopped)
    this.#startingAgain.delete(upstream)
    if (this.#upstreams.get(name) !== stopped) return this.#leave(upstream, upstream.close())
    this.#upstreams.set(name, upstream)
    this.#options.onChange()
  }

  #isStillNeeded(stopped: Upstream, start: Start): boolean {
    const { name, upstream, isCancelled } = start
    const newer = this.#starts.get(name)
    if (this.#options.closing.aborted || this.#upstreams.get(name) !== stopped) return false
    return (newer === undefined || newer === start) && (isCancelled || this.#mayContinue(stopped, upstream))
  }

  /** Stops starts that are not listed yet. The servers that they would replace stay. */
  async #giveUp(starts: readonly Start[]): Promise<void> {
    const pending = starts.filter((start) => this.#starts.get(start.upstream.spec.name) === start)
    for (const { name, upstream, cancelled } of pending) {
      cancelled.abort()
      this.#starts.delete(name)
      if (this.#upstreams.get(name) === upstream) this.#upstreams.delete(name)
    }
    if (pending.length > 0) this.#options.onChange()
    await Promise.all(pending.map(({ upstream }) => this.#leave(upstream, upstream.close())))
    await Promise.all(pending.filter(({ isStopFirst }) => isStopFirst).map((start) => start.settled()))
  }

  /** Does not wait for a busy server: a person may take hours to answer its question. */
  async #retire(upstream: Upstream): Promise<void> {
    const { isBusy } = upstream
    const left = this.#leave(upstream, upstream.retire())
    if (!isBusy) await left
  }

  async #leave(upstream: Upstream, closed: Promise<void>): Promise<void> {
    this.#leaving.set(
      upstream,
      closed.catch(() => {}),
    )
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
