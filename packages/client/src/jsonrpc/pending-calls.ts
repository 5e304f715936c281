import { CallsById } from './calls-by-id.ts'
import { McpError, McpErrorCode, type RequestId } from './jsonrpc.ts'
import { unrefTimer } from '../timing/unref-timer.ts'
import { type WireOptions, wire } from './wire-options.ts'

/** A request that the server has not answered yet. */
export interface PendingCall {
  readonly id: RequestId
  readonly method: string
  readonly params: object | undefined
  readonly options: WireOptions
  readonly resolve: (result: unknown) => void
  readonly reject: (reason: unknown) => void
  /** Timeout in sweeps. Progress restarts it. */
  readonly timeoutSweeps: number
  /** The sweep at which the timeout expires. */
  deadline: number
  /** The sweep at which the total timeout expires. */
  limit: number
  readonly watched: WatchedSignal | undefined
  /** Number of reasons to pause its timeout: unanswered requests of the server on its stream, or missing credentials. */
  pausedBy: number
}

interface WatchedSignal {
  readonly listener: () => void
  /** Number of calls that use the signal. */
  calls: number
}

/** Why a call ended without an answer. */
export type Abandonment = 'aborted' | 'timed out'

const DEFAULT_TIMEOUT_MS = 60_000

/** Precision of timeouts. One timer serves all calls: a timer per call costs 8 to 16 % of its time. */
const SWEEP_MS = 100

/** No timeout: 1.7 years. A small integer, unlike Infinity, needs no heap allocation. */
const ENDLESS = 2 ** 29

/**
 * The calls in flight with their timeouts and abort signals. A call is removed once: by `take`, or with a call of
 * `onAbandoned` when its signal aborts or its timeout expires.
 */
export class PendingCalls<Owner> {
  /** Undefined while idle, to keep idle connections small. */
  #calls: CallsById<PendingCall> | undefined
  readonly #owner: Owner
  readonly #onAbandoned: (owner: Owner, call: PendingCall, how: Abandonment) => void
  /** Undefined while no call has a signal. */
  #watched: Map<AbortSignal, WatchedSignal> | undefined
  #nextId = 1
  #sweeps = 0
  /** Number of calls without a timeout. They alone need no timer. */
  #endless = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Number of unanswered requests of the server that belong to no call. They pause all timeouts. */
  pausedBy = 0

  constructor(owner: Owner, onAbandoned: (owner: Owner, call: PendingCall, how: Abandonment) => void) {
    this.#owner = owner
    this.#onAbandoned = onAbandoned
  }

  open(
    method: string,
    params: object | undefined,
    options: WireOptions,
    resolve: (result: unknown) => void,
    reject: (reason: unknown) => void,
  ): PendingCall {
    const timeoutSweeps = sweepsIn(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    const deadline = this.#sweeps + timeoutSweeps
    const limit = this.#sweeps + sweepsIn(options.maxTimeoutMs ?? Infinity)
    const id = options[wire]?.id ?? this.#nextId++
    const watched = options.signal && this.#watch(options.signal)
    const call = {
      id,
      method,
      params,
      options,
      resolve,
      reject,
      timeoutSweeps,
      deadline,
      limit,
      watched,
      pausedBy: 0,
    }
    this.#calls ??= new CallsById()
    this.#calls.add(call)
    if (hasDeadline(call)) this.#startSweeping()
    else this.#endless++
    return call
  }

  get(id: unknown): PendingCall | undefined {
    if (typeof id === 'number') return this.#calls?.get(id)
    if (typeof id !== 'string') return undefined
    // Some servers echo numeric ids as strings, but never as "01" or "1.0".
    const number = Number(id)
    return this.#calls?.get(id) ?? (String(number) === id ? this.#calls?.get(number) : undefined)
  }

  take(id: unknown): PendingCall | undefined {
    const call = this.get(id)
    if (call === undefined) return undefined
    this.#calls?.delete(call)
    if (!hasDeadline(call)) this.#endless--
    // The sweep removes unused listeners, so that sequential calls with one signal share a listener.
    if (call.watched !== undefined && --call.watched.calls === 0 && this.#timer === undefined) this.#unwatch()
    return call
  }

  takeAll(): readonly PendingCall[] {
    const calls: PendingCall[] = []
    this.#calls?.forEach((call) => calls.push(call))
    for (const call of calls) this.take(call.id)
    this.#unwatch()
    return calls
  }

  /** Restarts the timeout of a call. */
  extend(call: PendingCall): void {
    call.deadline = this.#sweeps + call.timeoutSweeps
  }

  /** One listener per signal: Node reports a leak at the eleventh. */
  #watch(signal: AbortSignal): WatchedSignal {
    this.#watched ??= new Map()
    let watched = this.#watched.get(signal)
    if (watched === undefined) {
      watched = { listener: () => this.#abandonAllOf(signal), calls: 0 }
      signal.addEventListener('abort', watched.listener)
      this.#watched.set(signal, watched)
    }
    watched.calls++
    return watched
  }

  #unwatch(): void {
    this.#watched?.forEach(({ calls, listener }, signal) => {
      if (calls > 0) return
      signal.removeEventListener('abort', listener)
      this.#watched?.delete(signal)
    })
  }

  /** Scanning all calls once is cheaper than a list per signal. */
  #abandonAllOf(signal: AbortSignal): void {
    this.#calls?.forEach((call) => call.options.signal === signal && this.#abandon(call, 'aborted'))
  }

  #sweep(): void {
    this.#timer = undefined
    this.#sweeps++
    this.#unwatch()
    const size = this.#calls?.size ?? 0
    if (size === 0) this.#calls = this.#watched = undefined
    // Stops here, not with the last call, so that sequential calls do not start a timer each.
    if (size === this.#endless) return
    this.#startSweeping()
    this.#calls?.forEach((call) => this.#check(call))
  }

  #check(call: PendingCall): void {
    if (this.pausedBy > 0 || call.pausedBy > 0) {
      call.deadline++
      call.limit++
    } else if (this.#sweeps >= call.deadline || this.#sweeps >= call.limit) {
      this.#abandon(call, 'timed out')
    }
  }

  #startSweeping(): void {
    this.#timer ??= unrefTimer(setTimeout(() => this.#sweep(), SWEEP_MS))
  }

  #abandon(call: PendingCall, how: Abandonment): void {
    if (this.take(call.id) !== undefined) this.#onAbandoned(this.#owner, call, how)
  }
}

/** The error of a call that timed out. */
export function timeoutError({ method, options, deadline, limit }: PendingCall): McpError {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxTimeoutMs } = options
  const allowed = limit < deadline ? `${maxTimeoutMs} ms in all` : `${timeoutMs} ms`
  const message = `the server did not answer ${method} in time (${allowed})`
  return new McpError(message, { kind: 'timeout', code: McpErrorCode.RequestTimeout })
}

/** Rounded up and one more, because the current interval has begun: a timeout may be late, never early. */
function sweepsIn(milliseconds: number): number {
  return Math.min(Math.ceil(milliseconds / SWEEP_MS) + 1, ENDLESS)
}

function hasDeadline({ timeoutSweeps, limit }: PendingCall): boolean {
  return timeoutSweeps < ENDLESS || limit < ENDLESS
}
