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
  /** How many sweeps it may go without a sign of life. */
  readonly patience: number
  /** The sweep that ends it unless there is progress before. */
  deadline: number
  /** The sweep that ends it in any case. */
  limit: number
  readonly watched: WatchedSignal | undefined
  /** What it waits for on this side: answers to the server's requests on its stream, or credentials. */
  owed: number
}

interface WatchedSignal {
  readonly listener: () => void
  /** How many calls it may abort. */
  calls: number
}

/** How a call ends that the server did not answer. */
export type Abandonment = 'aborted' | 'timed out'

const DEFAULT_TIMEOUT_MS = 60_000

/** How exact deadlines are. One timer serves every call: a timer for each costs 8 to 16 % of a call's time. */
const SWEEP_MS = 100

/** More sweeps than there will be: 1.7 years. Unlike infinity it is kept in a call without memory of its own. */
const ENDLESS = 2 ** 29

/**
 * The calls in flight, in the order they were made, with their deadlines and abort signals. A call leaves it once: by
 * `take`, or by `onAbandoned` when its signal aborts or its time is up.
 */
export class PendingCalls<Owner> {
  /** There while there are any, or were a moment ago: a connection that waits should hold little. */
  #calls: CallsById<PendingCall> | undefined
  readonly #owner: Owner
  readonly #onAbandoned: (owner: Owner, call: PendingCall, how: Abandonment) => void
  /** Made with the first call that has a signal. */
  #watched: Map<AbortSignal, WatchedSignal> | undefined
  #nextId = 1
  #sweeps = 0
  /** How many of the calls may take for ever: they alone keep no timer running. */
  #endless = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Requests of the server that belong to no call in particular: until they are answered, no call's time runs. */
  owed = 0

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
    const patience = sweepsIn(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    const deadline = this.#sweeps + patience
    const limit = this.#sweeps + sweepsIn(options.maxTimeoutMs ?? Infinity)
    const id = options[wire]?.id ?? this.#nextId++
    const watched = options.signal && this.#watch(options.signal)
    const call = { id, method, params, options, resolve, reject, patience, deadline, limit, watched, owed: 0 }
    this.#calls ??= new CallsById()
    this.#calls.add(call)
    if (hasDeadline(call)) this.#startSweeping()
    else this.#endless++
    return call
  }

  get(id: unknown): PendingCall | undefined {
    if (typeof id === 'number') return this.#calls?.get(id)
    if (typeof id !== 'string') return undefined
    // Most of our ids are numbers, which some servers echo as strings, but never as "01" or "1.0".
    const number = Number(id)
    return this.#calls?.get(id) ?? (String(number) === id ? this.#calls?.get(number) : undefined)
  }

  take(id: unknown): PendingCall | undefined {
    const call = this.get(id)
    if (call === undefined) return undefined
    this.#calls?.delete(call)
    if (!hasDeadline(call)) this.#endless--
    // Sweeping sees to signals of no use any more: whoever makes call after call with one has it watched once.
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

  /** A sign of life: the call's wait starts anew. */
  extend(call: PendingCall): void {
    call.deadline = this.#sweeps + call.patience
  }

  /** One listener for each signal, however many calls share it: Node warns of a leak at the eleventh. */
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

  /** Looking through all calls once costs less than to keep a list for each signal with every call. */
  #abandonAllOf(signal: AbortSignal): void {
    this.#calls?.forEach((call) => call.options.signal === signal && this.#abandon(call, 'aborted'))
  }

  #sweep(): void {
    this.#timer = undefined
    this.#sweeps++
    this.#unwatch()
    const size = this.#calls?.size ?? 0
    if (size === 0) this.#calls = undefined
    // Stopping here and not when the last call ends keeps sequential calls from arming a timer each.
    if (size === this.#endless) return
    this.#startSweeping()
    this.#calls?.forEach((call) => this.#check(call))
  }

  #check(call: PendingCall): void {
    if (this.owed > 0 || call.owed > 0) {
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

/** What a call that timed out rejects with. */
export function timeoutError({ method, options, deadline, limit }: PendingCall): McpError {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxTimeoutMs } = options
  const allowed = limit < deadline ? `${maxTimeoutMs} ms in all` : `${timeoutMs} ms`
  const message = `the server did not answer ${method} in time (${allowed})`
  return new McpError(message, { kind: 'timeout', code: McpErrorCode.RequestTimeout })
}

/** One more than fits, because the current interval has begun already: a deadline may be late, never early. */
function sweepsIn(milliseconds: number): number {
  return Math.min(Math.ceil(milliseconds / SWEEP_MS) + 1, ENDLESS)
}

function hasDeadline({ patience, limit }: PendingCall): boolean {
  return patience < ENDLESS || limit < ENDLESS
}
