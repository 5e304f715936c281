import type { CallToolRequest, StartedCall } from '@toolbridge/api'
import type { BridgeEvent, CallOptions } from '@toolbridge/bridge'
import type { CallToolResult } from '@toolbridge/client'
import { linkedSignal } from '@toolbridge/client/internal'
import type { EventHub } from '../activity/event-hub.ts'
import { GatewayError } from '../errors/gateway-error.ts'
import { loggedBug, problemOf } from '../errors/problems.ts'
import type { CallAdmission } from '../lifecycle/call-admission.ts'
import type { Closable } from '../lifecycle/resource-stack.ts'
import type { Principal } from '../sign-in/principal.ts'
import { type CallDetails, type CallEnd, RunningCall } from './running-call.ts'

/** Ended calls that are kept of a person. */
const maxEnded = 20
/** Characters of requests and results that are kept of a person. The newest are kept whatever their length. */
const maxKeptLength = 16 * 1024 * 1024
/** A question of a call may never be answered. */
const longestCallMs = 24 * 60 * 60_000
/** Progress and log messages are announced no more often. */
const announceEveryMs = 200

/** Options of `StartedCalls`. */
export interface StartedCallsOptions {
  readonly calls: Pick<CallAdmission, 'run'>
  readonly events: Pick<EventHub, 'publish'>
  /** Begins a use of the gateway by a person. Returns a function that ends it. */
  readonly beginUse: (owner: string) => () => void
  readonly callTool: (
    owner: string,
    request: CallToolRequest,
    options: Pick<CallOptions, 'onProgress' | 'onStart' | 'signal'>,
  ) => Promise<CallToolResult>
  readonly stopping: AbortSignal
  readonly log: (line: string) => void
}

/**
 * Calls that belong to the gateway and not to a request, so that they go on when a page is closed or loaded again. A call ends
 * with the token that started it. Arguments and results are kept in memory only, and a limited number of them.
 */
export class StartedCalls implements Closable {
  readonly #options: StartedCallsOptions
  readonly #ofOwner = new Map<string, readonly RunningCall[]>()
  readonly #running = new Set<Promise<void>>()
  readonly #announcing = new Map<RunningCall, NodeJS.Timeout>()

  constructor(options: StartedCallsOptions) {
    this.#options = options
  }

  /** Resolves when the call is running. Rejects with a `GatewayError` if it is not admitted. */
  async start(principal: Principal, request: CallToolRequest): Promise<StartedCall> {
    const call = new RunningCall(request)
    await new Promise<void>((resolve, reject) => {
      const admitted = async (): Promise<void> => {
        resolve()
        await this.#track(this.#run(principal, request, call))
      }
      this.#options.calls.run(principal.id, admitted).catch(reject)
    })
    return call.summary()
  }

  list(owner: string): readonly StartedCall[] {
    return this.#callsOf(owner).map((call) => call.summary())
  }

  /** Throws a `GatewayError` if the owner has no such call. */
  show(owner: string, id: string): CallDetails {
    return this.#find(owner, id).details()
  }

  /** Does nothing if the call has ended. Throws a `GatewayError` if the owner has no such call. */
  cancel(owner: string, id: string): void {
    this.#find(owner, id).cancel()
  }

  /** Takes an event of the owner's bridge: log messages belong to the calls that their server runs. */
  observe(owner: string, event: BridgeEvent): void {
    if (event.type !== 'server.log') return
    const { at, level, logger, message } = event
    const running = this.#callsOf(owner).filter((call) => call.isRunning && call.server === event.server)
    for (const call of running) {
      call.log({ at: at.toISOString(), level, message, ...(logger === undefined ? {} : { logger }) })
      this.#announceSoon(owner, call)
    }
  }

  /** Forgets the calls of an owner that have ended. */
  forget(owner: string): void {
    this.#keep(
      owner,
      this.#callsOf(owner).filter((call) => call.isRunning),
    )
  }

  /** Waits for the running calls, which end when the gateway stops. */
  async close(): Promise<void> {
    await Promise.all(this.#running)
    this.#ofOwner.clear()
  }

  async #run({ id: owner, ended }: Principal, request: CallToolRequest, call: RunningCall): Promise<void> {
    const endUse = this.#options.beginUse(owner)
    const expiring = setTimeout(() => call.cancel(), longestCallMs)
    this.#keep(owner, [...this.#callsOf(owner), call])
    this.#announce(owner, call)
    try {
      call.end(await this.#endOf(owner, request, call, ended))
    } finally {
      clearTimeout(expiring)
      endUse()
    }
    this.#keep(owner, this.#callsOf(owner))
    this.#announce(owner, call)
  }

  /** Never rejects. */
  async #endOf(
    owner: string,
    request: CallToolRequest,
    call: RunningCall,
    revoked: AbortSignal | undefined,
  ): Promise<CallEnd> {
    const { callTool, stopping, log } = this.#options
    using ended = linkedSignal(call.cancelled, stopping, revoked)
    try {
      const result = await callTool(owner, request, {
        signal: ended.signal,
        onStart: (begun) => call.begin(begun),
        onProgress: (progress) => {
          call.report(progress)
          this.#announceSoon(owner, call)
        },
      })
      return { state: 'done', result }
    } catch (error) {
      if (call.cancelled.aborted) return { state: 'cancelled' }
      return { state: 'failed', problem: problemOf(error) ?? loggedBug(error, log) }
    }
  }

  #track(running: Promise<void>): Promise<void> {
    this.#running.add(running)
    const forget = (): void => void this.#running.delete(running)
    running.then(forget, forget)
    return running
  }

  #callsOf(owner: string): readonly RunningCall[] {
    return this.#ofOwner.get(owner) ?? []
  }

  #find(owner: string, id: string): RunningCall {
    const call = this.#callsOf(owner).find((each) => each.id === id)
    if (call === undefined)
      throw new GatewayError('unknown_call', 'list your started calls to see the ids of those that are kept')
    return call
  }

  /** Keeps the running calls, and the latest that ended. */
  #keep(owner: string, calls: readonly RunningCall[]): void {
    const kept = calls.filter((call) => call.isRunning || isKept(call, calls))
    if (kept.length === 0) this.#ofOwner.delete(owner)
    else this.#ofOwner.set(owner, kept)
  }

  #announceSoon(owner: string, call: RunningCall): void {
    if (this.#announcing.has(call)) return
    const timer = setTimeout(() => this.#announce(owner, call), announceEveryMs)
    this.#announcing.set(call, timer)
  }

  #announce(owner: string, call: RunningCall): void {
    clearTimeout(this.#announcing.get(call))
    this.#announcing.delete(call)
    this.#options.events.publish(owner, { type: 'call', call: call.summary() })
  }
}

/** Whether not too many calls, or too long ones, ended after this call in the list. */
function isKept(call: RunningCall, calls: readonly RunningCall[]): boolean {
  const later = calls.slice(calls.indexOf(call) + 1).filter(({ isRunning }) => !isRunning)
  const length = later.reduce((total, { size }) => total + size, 0)
  return later.length < maxEnded && (later.length === 0 || length + call.size <= maxKeptLength)
}
