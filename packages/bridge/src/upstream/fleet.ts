import type { ServerSpec } from '../config/spec.ts'
import type { Emit } from '../journal/emit.ts'
import { Turns } from '../turns.ts'
import type { Origin } from '../elicitation/question.ts'
import { type Plan, planChange } from './reconcile.ts'
import { explained, messageOf } from './state.ts'
import type { Upstream } from './upstream.ts'

/** What a change of the servers did, by name. A failed server is also among the started. */
export interface ApplyReport {
  readonly kept: readonly string[]
  readonly started: readonly string[]
  readonly stopped: readonly string[]
  readonly failed: readonly { readonly name: string; readonly error: string }[]
}

export interface FleetOptions {
  readonly emit: Emit
  /** Aborted when the fleet is to be closed. */
  readonly closing: AbortSignal
  /** Two definitions with the same key start the same thing with the same rights. */
  readonly keyOf: (spec: ServerSpec) => string
  readonly create: (spec: ServerSpec) => Upstream
  /** The servers are other ones. */
  readonly onChange: () => void
}

/** All servers of a bridge, and how one set of them becomes another. */
export class Fleet {
  readonly #options: FleetOptions
  readonly #changes = new Turns()
  /** Servers that were replaced or removed and still have calls in flight. */
  readonly #retiring = new Set<Upstream>()
  #upstreams: ReadonlyMap<string, Upstream> = new Map()

  constructor(options: FleetOptions) {
    this.#options = options
  }

  get upstreams(): readonly Upstream[] {
    return [...this.#upstreams.values()]
  }

  find(name: string): Upstream | undefined {
    return this.#upstreams.get(name)
  }

  /** Makes these the servers, one change after another. Rejects, and changes nothing, when a required one fails. */
  apply(servers: readonly ServerSpec[]): Promise<ApplyReport> {
    return this.#changes.take('apply', this.#options.closing, () => this.#change(servers))
  }

  async releaseOrigin(origin: Origin): Promise<void> {
    await all([...this.upstreams, ...this.#retiring], (upstream) => upstream.releaseOrigin(origin))
  }

  /** Stops every server. A change under way sees the signal, closes what it started and ends. */
  async close(): Promise<void> {
    await this.#changes.idle('apply')
    await all([...this.#retiring, ...this.upstreams], (upstream) => upstream.close())
  }

  /** Builds the new world, swaps, then tears down the old one. */
  async #change(servers: readonly ServerSpec[]): Promise<ApplyReport> {
    const plan = this.#plan(servers)
    const started = await this.#start(plan.start)
    const replaced = plan.stop.flatMap((name) => this.#upstreams.get(name) ?? [])
    this.#swap(plan, started)
    await all(replaced, (upstream) => this.#retire(upstream))
    return report(plan, started)
  }

  #plan(servers: readonly ServerSpec[]): Plan {
    const { keyOf } = this.#options
    const running = this.upstreams.map(({ spec, state }) => ({
      name: spec.name,
      key: keyOf(spec),
      hasFailed: state.kind === 'failed',
    }))
    return planChange(running, servers, keyOf)
  }

  async #start(specs: readonly ServerSpec[]): Promise<readonly Upstream[]> {
    const { closing } = this.#options
    const upstreams = specs.map((spec) => this.#options.create(spec))
    const giveUp = (): void => void all(upstreams, (upstream) => upstream.close()).catch(() => {})
    closing.addEventListener('abort', giveUp, { once: true })
    await Promise.all(upstreams.map((upstream) => upstream.start()))
    closing.removeEventListener('abort', giveUp)
    const failure = requiredFailure(upstreams)
    if (failure === undefined && !closing.aborted) return upstreams
    await all(upstreams, (upstream) => upstream.close())
    throw closing.aborted ? closing.reason : failure
  }

  #swap({ keep }: Plan, started: readonly Upstream[]): void {
    const kept = keep.flatMap((spec) => {
      const upstream = this.#upstreams.get(spec.name)
      upstream?.adopt(spec)
      return upstream ?? []
    })
    this.#upstreams = new Map([...kept, ...started].map((upstream) => [upstream.spec.name, upstream]))
    this.#options.onChange()
  }

  /** Resolves at once for a busy server, which is closed later: a person may take hours to answer its question. */
  async #retire(upstream: Upstream): Promise<void> {
    const { isBusy } = upstream
    this.#retiring.add(upstream)
    const retired = upstream
      .retire()
      .catch((error: unknown) => this.#tellNotStopped(upstream.spec.name, error))
      .finally(() => this.#retiring.delete(upstream))
    if (!isBusy) await retired
  }

  #tellNotStopped(server: string, error: unknown): void {
    const message = `server "${server}" could not be stopped: ${messageOf(error)}`
    this.#options.emit({ type: 'diagnostic', code: 'server_not_stopped', server, message })
  }
}

function requiredFailure(upstreams: readonly Upstream[]): unknown {
  for (const { spec, state } of upstreams) {
    if (spec.required && state.kind === 'failed')
      return explained(spec.name, 'is required and did not start', state.error)
  }
  return undefined
}

function report(plan: Plan, started: readonly Upstream[]): ApplyReport {
  return {
    kept: plan.keep.map((spec) => spec.name),
    started: plan.start.map((spec) => spec.name),
    stopped: plan.stop,
    failed: started.flatMap(({ spec, state }) =>
      state.kind === 'failed' ? [{ name: spec.name, error: messageOf(state.error) }] : [],
    ),
  }
}

/** Does the same for all of them at once; one failure does not spare the rest. */
async function all<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(things.map(work))
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  if (failures.length > 0) throw new AggregateError(failures, 'could not close everything')
}
