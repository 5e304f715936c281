import type { Upstream } from '../upstream/upstream.ts'

/** The start of one server. */
export class Start {
  readonly upstream: Upstream
  /** Whether the running server is stopped first. Then the start begins when all other required servers are ready. */
  readonly isStopFirst: boolean
  readonly cancelled: AbortController = new AbortController()
  /** Why the server could not be started. */
  error: unknown
  /** Whether the server that it should have replaced continues. */
  isRefused = false
  readonly #run: (start: Start) => Promise<void>
  #settled: Promise<void> | undefined

  constructor(upstream: Upstream, isStopFirst: boolean, run: (start: Start) => Promise<void>) {
    this.upstream = upstream
    this.isStopFirst = isStopFirst
    this.#run = run
  }

  get name(): string {
    return this.upstream.spec.name
  }

  get isCancelled(): boolean {
    return this.cancelled.signal.aborted
  }

  /** Begins the start, once. Resolves when the server is ready or failed; never rejects. */
  settled(): Promise<void> {
    this.#settled ??= this.#run(this)
    return this.#settled
  }
}

/** Starts a server. One that starts on first use is started at once if the one that it replaces is in use. */
export async function launch(upstream: Upstream, replaced: Upstream | undefined): Promise<void> {
  const isInUse =
    replaced?.isClosed === true || (replaced?.isServing === true && replaced.state.kind !== 'stopped')
  await (isInUse && upstream.spec.enabled ? upstream.wake() : upstream.start())
}

/** Why a server could not be started. */
export function failureOf({ isWorthKeeping, state }: Upstream): unknown {
  return !isWorthKeeping && 'error' in state ? state.error : undefined
}

/** Starts a server while the one that it replaces is running. */
export async function startBeside(start: Start, replaced: Upstream | undefined): Promise<void> {
  await launch(start.upstream, replaced)
  start.error = failureOf(start.upstream)
}
