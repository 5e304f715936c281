import type { CallToolResult, McpClient, RequestOptions, Tool } from '@toolbridge/client'
import { abortable } from '../abortable.ts'
import type { ServerSpec } from '../config/spec.ts'
import { type Origin, originKey } from '../elicitation/question.ts'
import type { Emit } from '../journal/emit.ts'
import type { Clock } from './clock.ts'
import type { Connection } from './connection.ts'
import { startDeadline } from './deadline.ts'
import { Health } from './health.ts'
import { Holds } from './holds.ts'
import type { InFlight } from './in-flight.ts'
import { type ListName, UpstreamLists } from './lists.ts'
import { type OpeningServices, openConnection } from './opening.ts'
import { ConnectionPool, type Slot } from './pool.ts'
import type { RestartPolicy } from './restarts.ts'
import { explained, messageOf, statusOf, type UpstreamState, type UpstreamStatus } from './state.ts'

export interface UpstreamOptions extends OpeningServices {
  /** The bridge's own origin, over whose connection the tools are listed. */
  readonly origin: Origin
  readonly emit: Emit
  readonly clock: Clock
  readonly random: () => number
  /** Unless the definition says otherwise. */
  readonly startTimeoutMs: number
  readonly keepAliveMs: number
  readonly idleMs: number
  readonly restarts: RestartPolicy
  /** A list is another one. */
  readonly onList: (list: ListName) => void
}

type Arguments = Readonly<Record<string, unknown>>

/** One server: its definition, its state, its connections and what it offers. Whoever made it closes it. */
export class Upstream {
  readonly lists: UpstreamLists
  readonly #options: UpstreamOptions
  readonly #pool: ConnectionPool<Connection>
  readonly #health: Health
  readonly #holds = new Holds()
  #spec: ServerSpec

  constructor(spec: ServerSpec, options: UpstreamOptions) {
    this.#spec = spec
    this.#options = options
    this.lists = this.#createLists()
    this.#health = this.#createHealth()
    this.#pool = this.#createPool()
  }

  get spec(): ServerSpec {
    return this.#spec
  }

  get state(): UpstreamState {
    return this.#health.state
  }

  get tools(): readonly Tool[] {
    return this.lists.tools.items
  }

  get status(): UpstreamStatus {
    const { state, since, restarts } = this.#health
    return statusOf({ spec: this.#spec, state, since, tools: this.tools, restarts })
  }

  /** There is something that a successor would replace. */
  get isServing(): boolean {
    return this.isWorthKeeping && this.state.kind !== 'disabled'
  }

  /** Starting the same thing again would not help. */
  get isWorthKeeping(): boolean {
    return !['failed', 'untrusted', 'unauthorized'].includes(this.state.kind)
  }

  /** Calls are in flight. */
  get isBusy(): boolean {
    return this.#holds.isHeld
  }

  /** It is started by whoever needs it first, and nobody has. */
  get isDormant(): boolean {
    const { kind } = this.state
    return this.#isLazy && !this.#health.wasReady && (kind === 'stopped' || !this.isWorthKeeping)
  }

  /** Takes over a definition that starts the same thing but was written elsewhere. */
  adopt(spec: ServerSpec): void {
    this.#spec = spec
  }

  /** Starts an enabled server that does not wait to be needed. Never rejects: a failure is a state of this server only. */
  async start(): Promise<void> {
    if (this.#spec.enabled && !this.#isLazy) await this.wake()
  }

  /** Starts the server, once for all who ask. Never rejects. */
  async wake(): Promise<void> {
    await this.#pool.use(this.#options.origin, undefined, async () => {}).catch(() => {})
  }

  /** Keeps the server from being retired until the call is `over`. */
  expect(): void {
    this.#holds.take()
  }

  /** Makes an expected call over the connection of its origin, which is opened if need be. */
  call(call: InFlight, rawName: string, args: Arguments, options: RequestOptions): Promise<CallToolResult> {
    const slot = this.#pool.enter(call.origin)
    call.slot = slot
    const { opened } = slot
    if (opened === undefined) return this.#callOnceOpen(call, slot, rawName, args, options)
    call.connection = opened
    return opened.call(call, rawName, args, options)
  }

  /** The server answered an expected call. */
  answered({ origin, connection }: InFlight): void {
    connection?.heard()
    if (this.#health.state.kind !== 'ready' && this.#isOwn(origin)) this.#health.answered()
  }

  /** What the failure of an expected call is for whoever made it, and for the state of the server. */
  failed({ origin, connection }: InFlight, thrown: unknown, signal: AbortSignal | undefined): unknown {
    if (connection === undefined || (signal?.aborted === true && thrown === signal.reason)) return thrown
    const error = connection.redact(thrown)
    if (this.#isOwn(origin)) this.#health.failed(error)
    return error
  }

  /** An expected call is over, whatever became of it. */
  over(call: InFlight): void {
    call.connection?.over(call)
    if (call.slot !== undefined) this.#pool.leave(call.slot)
    this.#holds.giveBack()
  }

  /** Asks the server something over the connection of an origin, which is opened if need be. */
  async ask<T>(
    origin: Origin,
    signal: AbortSignal | undefined,
    work: (client: McpClient) => Promise<T>,
  ): Promise<T> {
    this.#holds.take()
    try {
      return await this.#pool.use(origin, signal, (connection) => connection.ask(work, signal))
    } catch (error) {
      if (this.#isOwn(origin)) this.#health.failed(error)
      throw error
    } finally {
      this.#holds.giveBack()
    }
  }

  /** Closes the connection of one origin; its next call opens a new one. */
  async releaseOrigin(origin: Origin): Promise<void> {
    if (this.#isOwn(origin) && 'running' in this.state) this.#health.stopped()
    await this.#pool.release(origin)
  }

  /** Closes once the calls in flight are over. */
  async retire(): Promise<void> {
    await this.#holds.released()
    await this.close()
  }

  /** Ends every connection; calls in flight fail. Idempotent. */
  async close(): Promise<void> {
    this.lists.stop()
    this.#health.close({ kind: this.#spec.enabled ? 'stopped' : 'disabled' })
    await this.#pool.close()
  }

  get #isLazy(): boolean {
    return this.#spec.start === 'lazy' && !this.#spec.required
  }

  async #open(origin: Origin, signal: AbortSignal, onLost: () => void): Promise<Connection> {
    if (this.#isOwn(origin)) this.#health.assertMayStart()
    const startMs = this.#spec.timeouts?.startMs ?? this.#options.startTimeoutMs
    const message = `server "${this.#spec.name}" was not ready within ${startMs} ms`
    const deadline = startDeadline(message, startMs, signal)
    try {
      return await (this.#isOwn(origin)
        ? this.#openOwn(deadline.signal, onLost)
        : this.#connect(origin, deadline.signal, onLost))
    } catch (error) {
      const what = this.#health.wasReady ? 'is down and did not start again' : 'did not start'
      throw deadline.signal.aborted ? error : explained(this.#spec.name, what, error)
    } finally {
      deadline.stop()
    }
  }

  async #openOwn(signal: AbortSignal, onLost: () => void): Promise<Connection> {
    const startedAt = performance.now()
    let isReady = false
    let connection: Connection | undefined
    const lost = (reason: unknown): void => {
      onLost()
      this.lists.disconnect()
      if (isReady) this.#health.lost(reason)
    }
    try {
      connection = await this.#connect(this.#options.origin, signal, lost)
      await this.lists.open(connection, signal)
    } catch (error) {
      await connection?.close().catch(() => {})
      this.#health.startFailed(error)
      throw error
    }
    isReady = true
    this.#health.ready({ connection, startedInMs: Math.round(performance.now() - startedAt) })
    return connection
  }

  #connect(origin: Origin, signal: AbortSignal, onLost: (reason: unknown) => void): Promise<Connection> {
    const isOwn = this.#isOwn(origin)
    return openConnection(this.#spec, this.#options, {
      origin,
      signal,
      onLost,
      onStart: () => (isOwn ? this.#health.starting() : undefined),
      // What there is to say about a definition is the same for every origin.
      onRemark: (code, message) =>
        isOwn || code === 'server_misbehaves' ? this.#tell(code, message) : undefined,
      evict: () => this.#pool.evict(origin),
    })
  }

  async #callOnceOpen(
    call: InFlight,
    slot: Slot<Connection>,
    rawName: string,
    args: Arguments,
    options: RequestOptions,
  ): Promise<CallToolResult> {
    const connection = await abortable(slot.connection, options.signal)
    call.connection = connection
    return connection.call(call, rawName, args, options)
  }

  #tell(code: string, message: string): void {
    this.#options.emit({ type: 'diagnostic', code, server: this.#spec.name, message })
  }

  #isOwn(origin: Origin): boolean {
    const { origin: own } = this.#options
    return origin === own || originKey(origin) === originKey(own)
  }

  #createPool(): ConnectionPool<Connection> {
    const { clock, idleMs, credentialsOf } = this.#options
    return new ConnectionPool({
      clock,
      idleMs,
      open: (origin, signal, onLost) => this.#open(origin, signal, onLost),
      isKept: (origin) => !this.#isLazy && this.#isOwn(origin),
      credentialOf: credentialsOf && ((origin) => credentialsOf(this.#spec, origin.principal)?.id),
      onIdle: (origin) => {
        if (this.#isOwn(origin)) this.#health.stopped()
      },
    })
  }

  #createHealth(): Health {
    const { emit, clock, restarts, random, keepAliveMs, origin } = this.#options
    return new Health({
      server: () => this.#spec.name,
      initial: this.#spec.enabled ? 'stopped' : 'disabled',
      emit,
      clock,
      restarts,
      random,
      keepAliveMs,
      restart: () => void this.wake(),
      drop: () => {
        this.lists.disconnect()
        void this.#pool.release(origin).catch(() => {})
      },
    })
  }

  #createLists(): UpstreamLists {
    const { emit, onList, startTimeoutMs } = this.#options
    return new UpstreamLists({
      timeoutMs: () => this.#spec.timeouts?.startMs ?? startTimeoutMs,
      onRead: (list, count) => {
        onList(list)
        if (list !== 'templates') emit({ type: `${list}.changed`, server: this.#spec.name, count })
      },
      onFailed: (list, error) => this.#listFailed(list, error),
      onUntold: (error) =>
        this.#tell(
          'changes_untold',
          `server "${this.#spec.name}" does not tell of changes: ${messageOf(error)}`,
        ),
    })
  }

  #listFailed(list: ListName, error: unknown): void {
    if (!('running' in this.state)) return
    const message = `its new list of ${list} could not be read: ${messageOf(error)}`
    this.#tell(`${list}_not_refreshed`, `server "${this.#spec.name}": ${message}`)
    this.#health.worsened(error)
  }
}
