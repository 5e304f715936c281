import type { McpClient, Tool } from '@toolbridge/client'
import { sendToolCall } from '@toolbridge/client/internal'
import type { Policy } from '../config/spec/policy.ts'
import type { ServerSpec } from '../config/spec/server-spec.ts'
import { isRequired, replaceOf, startOf } from '../config/spec/start-and-replace.ts'
import type { Origin } from '../origin.ts'
import { ConnectionJournal } from '../journal/events/connection-journal.ts'
import type { RequestQuestions } from './connections/server-questions.ts'
import type { Connection } from './connections/connection.ts'
import { startDeadline } from './connections/deadline.ts'
import { Health } from './health.ts'
import { UseCount } from './use-count.ts'
import type { UpstreamCall } from './connections/calls-in-flight.ts'
import { createLists } from './create-lists.ts'
import type { UpstreamLists } from './upstream-lists.ts'
import { type Credential, openConnection } from './connections/open-connection.ts'
import { ConnectionPool, type Opening, type Slot } from './connections/connection-pool.ts'
import { CallLimit } from './limits/call-limit.ts'
import type { Caller } from './connections/claim.ts'
import { connectionRequest } from './connections/connection-request.ts'
import { ConnectionScopes } from './connections/connection-scopes.ts'
import type { UpstreamState, UpstreamStatus } from './upstream-state.ts'
import { disabledError, explained, isGone, namingTimeout, statusOf } from './upstream-state.ts'
import type { Attempt, UpstreamOptions } from './upstream-options.ts'

/** A running binding of a server definition: state, connections and lists. Closed by its creator. */
export class Upstream {
  readonly lists: UpstreamLists
  readonly #options: UpstreamOptions
  readonly #pool: ConnectionPool<Connection>
  readonly #health: Health
  readonly #uses = new UseCount()
  readonly #calls: CallLimit<UpstreamCall>
  readonly #scopes: ConnectionScopes
  #spec: ServerSpec

  constructor(spec: ServerSpec, options: UpstreamOptions) {
    this.#spec = spec
    this.#options = options
    const { origin: own, answerer, questions } = options
    this.#scopes = new ConnectionScopes({ server: () => this.#spec.name, own, answerer, questions })
    this.lists = createLists(options, {
      spec: () => this.#spec,
      isRunning: () => 'running' in this.state,
      worsened: (error) => this.#health.worsened(error),
    })
    this.#health = this.#createHealth()
    this.#pool = this.#createPool()
    this.#calls = this.#createCallLimit()
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

  /** Whether a new definition replaces a server that is in use. */
  get isServing(): boolean {
    return this.isWorthKeeping && this.state.kind !== 'disabled'
  }

  /** Whether to keep the server when the same definition is applied again. */
  get isWorthKeeping(): boolean {
    return !this.isClosed && !['failed', 'untrusted', 'unauthorized'].includes(this.state.kind)
  }

  /** Whether `close` was called. */
  get isClosed(): boolean {
    return this.#health.isClosed
  }

  /** Whether calls are in flight. */
  get isBusy(): boolean {
    return this.#uses.isInUse
  }

  /** Whether the server starts on first use and was not used yet. */
  get isDormant(): boolean {
    const { kind } = this.state
    return (
      this.#startsWhen === 'lazy' && !this.#health.wasReady && (kind === 'stopped' || !this.isWorthKeeping)
    )
  }

  /** Whether the bridge does not open if the server fails to start. */
  get isRequired(): boolean {
    return isRequired(this.#spec, this.#options.policy)
  }

  /** Whether the running server is stopped before its replacement starts. */
  get isStopFirst(): boolean {
    return replaceOf(this.#spec, this.#options.policy) === 'stop-first'
  }

  /** Adopts an equivalent definition from another source. */
  adopt(spec: ServerSpec): void {
    this.#spec = spec
  }

  /** Starts the server unless it is disabled or starts on first use. Never rejects: a failure becomes the state. */
  async start(): Promise<void> {
    if (this.#spec.enabled && this.#startsWhen === 'eager') await this.wake()
  }

  /** Starts the server. Concurrent callers share one start. Never rejects. */
  async wake(): Promise<void> {
    await this.#pool.use(this.#options.origin, undefined, async () => {}).catch(() => {})
  }

  /** Starts a server that is not running, regardless of its restart budget. Never rejects. */
  async retry(): Promise<void> {
    if (this.state.kind === 'stopped') return this.wake()
    if (!isGone(this.state)) return
    this.#health.stopped()
    await this.#pool.releaseFirst(this.#options.origin).catch(() => {})
    await this.wake()
  }

  /** The account that calls of an origin use. */
  accountOf({ principal }: Origin): Credential | undefined {
    return this.#options.credentialsOf?.(this.#spec, principal)
  }

  /** Keeps the upstream from being retired until `release`. */
  retain(): void {
    this.#uses.retain()
  }

  release(): void {
    this.#uses.release()
  }

  /** Sends a call over the connection of its origin, which is opened on first use. Ends it by `succeeded` or `failed`. */
  send(call: UpstreamCall): void {
    if (this.#calls.admits(call)) this.#sendNow(call)
  }

  #sendNow(call: UpstreamCall): void {
    let slot: Slot<Connection>
    try {
      slot = this.#scopes.enter(this.#pool, call)
    } catch (error) {
      this.#calls.ended()
      return call.failed(error)
    }
    const { opened } = slot
    if (opened !== undefined && this.#scopes.serves(opened, slot, call)) this.#sendOver(opened, slot, call)
    else void this.#sendOnceOpen({ slot }, call)
  }

  /** Runs `work` with the client of a caller's connection, which is opened on first use. */
  async use<T>(
    caller: Caller,
    signal: AbortSignal | undefined,
    work: (client: McpClient, questions: RequestQuestions) => Promise<T>,
  ): Promise<T> {
    this.#uses.retain()
    const taken: { slot: Slot<Connection> | undefined } = { slot: undefined }
    try {
      const connection = await this.#scopes.connectionFor(this.#pool, caller, taken, signal)
      return await connection.useFor(caller, work, signal)
    } catch (error) {
      if (taken.slot !== undefined && this.#scopes.isOwn(taken.slot.scope)) this.#health.failed(error)
      throw error
    } finally {
      if (taken.slot !== undefined) this.#pool.leave(taken.slot)
      this.#uses.release()
    }
  }

  /** Closes the connection of one origin; its next call opens a new one. */
  async releaseOrigin(origin: Origin): Promise<void> {
    if (this.#scopes.isOwn(origin) && 'running' in this.state) this.#health.stopped()
    if (origin.isAnonymous !== true || this.#scopes.isOwn(origin)) await this.#pool.release(origin)
  }

  /** Resolves when all calls in flight have ended. */
  drained(): Promise<void> {
    return this.#uses.unused()
  }

  /** Closes when all calls in flight have ended. */
  async retire(): Promise<void> {
    await this.drained()
    await this.close()
  }

  /** Closes every connection; calls in flight fail. Idempotent. */
  async close(): Promise<void> {
    this.lists.stop()
    this.#health.close({ kind: this.#spec.enabled ? 'stopped' : 'disabled' })
    await this.#pool.close()
  }

  get #startsWhen(): Policy['start'] {
    return startOf(this.#spec, this.#options.policy)
  }

  async #open(opening: Opening): Promise<Connection> {
    const { scope, signal, withdrawn } = opening
    if (!this.#spec.enabled) throw disabledError(this.#spec)
    if (this.#scopes.isOwn(scope)) this.#health.assertMayStart()
    const request = connectionRequest(this.#spec, scope, this.#pool, {
      signal: AbortSignal.any([signal, withdrawn]),
      warn: (code, message) => this.#tell(code, message),
    })
    // Before the start timeout begins: waiting for other connections to close is not the server's fault.
    const permit = this.#scopes.isOwn(scope) ? undefined : await this.#options.limits.acquire(request)
    try {
      return await this.#openInTime({ opening, request, permit })
    } catch (error) {
      permit?.release()
      throw error
    }
  }

  async #openInTime(begun: Omit<Attempt, 'deadline' | 'journal'>): Promise<Connection> {
    const { scope, signal, onLost } = begun.opening
    const startMs = this.#spec.timeouts?.startMs ?? this.#options.startTimeoutMs
    const message = `server "${this.#spec.name}" was not ready within ${startMs} ms (timeouts.startMs)`
    const deadline = startDeadline(message, startMs, signal)
    const journal = new ConnectionJournal(this.#options.emit, this.#spec, scope)
    const attempt = { ...begun, deadline, journal }
    try {
      const connection = await (this.#scopes.isOwn(scope)
        ? this.#openOwn(attempt, onLost)
        : this.#connect(attempt, onLost))
      journal.opened(connection.description, this.tools.length)
      return connection
    } catch (error) {
      journal.failed(error, begun.request.signal)
      const what = this.#health.wasReady ? 'is down and did not start again' : 'did not start'
      throw deadline.signal.aborted ? error : explained(this.#spec.name, what, error)
    } finally {
      deadline.stop()
    }
  }

  async #openOwn(attempt: Attempt, onLost: () => void): Promise<Connection> {
    const startedAt = performance.now()
    let isReady = false
    let connection: Connection | undefined
    const lost = (reason: unknown): void => {
      onLost()
      this.lists.disconnect()
      if (isReady) this.#health.lost(reason)
    }
    try {
      this.#scopes.eras.clear()
      connection = await this.#connect(attempt, lost)
      await this.lists.open(connection, attempt.deadline.signal)
    } catch (error) {
      const reason = connection === undefined ? error : connection.explainListTimeout(error)
      await connection?.close().catch(() => {})
      this.#health.startFailed(reason)
      throw reason
    }
    isReady = true
    this.#health.ready({ connection, startedInMs: Math.round(performance.now() - startedAt) })
    return connection
  }

  async #connect(
    { opening, request, permit, deadline, journal }: Attempt,
    onLost: (reason: unknown) => void,
  ): Promise<Connection> {
    const isOwn = this.#scopes.isOwn(opening.scope)
    const connection = await openConnection(this.#spec, this.#options, {
      ...opening,
      deadline,
      eras: this.#scopes.eras,
      mayAskAnytime: this.#scopes.mayAskAnytime(opening.scope),
      onLost: (reason) => {
        journal.lost(reason)
        onLost(reason)
      },
      onStart: () => (isOwn ? this.#health.starting() : undefined),
      // Issues of a definition are the same for every origin, so they are reported once.
      onRemark: (code, message) =>
        isOwn || code === 'server_misbehaves' ? this.#tell(code, message) : undefined,
      request,
      hold: () => this.#pool.hold(opening.scope),
      onClosed: () => {
        journal.closed()
        permit?.release()
      },
    })
    this.#scopes.opened(connection)
    return connection
  }

  async #sendOnceOpen(taken: { slot: Slot<Connection> | undefined }, call: UpstreamCall): Promise<void> {
    try {
      const connection = await this.#scopes.connectionFor(this.#pool, call, taken, call.signal)
      if (taken.slot !== undefined) this.#sendOver(connection, taken.slot, call)
    } catch (error) {
      if (taken.slot !== undefined) this.#pool.leave(taken.slot)
      this.#calls.ended()
      call.failed(error)
    }
  }

  #sendOver(connection: Connection, slot: Slot<Connection>, call: UpstreamCall): void {
    const options = connection.begin(call)
    connection.client[sendToolCall](
      call.rawName,
      call.args,
      options,
      (result) => {
        this.#answered(connection, slot, call)
        call.succeeded(result)
      },
      (error) => call.failed(this.#failed(connection, slot, call, error)),
    )
  }

  #answered(connection: Connection, slot: Slot<Connection>, call: UpstreamCall): void {
    call.isAnswered = true
    connection.answered()
    if (this.#health.state.kind !== 'ready' && this.#scopes.isOwn(slot.scope)) this.#health.answered()
    this.#leave(connection, slot, call)
  }

  /** Returns the error for the caller. A cancelled call keeps its reason and says nothing about the server. */
  #failed(connection: Connection, slot: Slot<Connection>, call: UpstreamCall, thrown: unknown): unknown {
    slot.claim.failed(thrown)
    const isCancelled = call.signal?.aborted === true && thrown === call.signal.reason
    const error = isCancelled ? thrown : namingTimeout(connection.redact(thrown))
    if (!isCancelled && this.#scopes.isOwn(slot.scope)) this.#health.failed(error)
    this.#leave(connection, slot, call)
    return error
  }

  #leave(connection: Connection, slot: Slot<Connection>, call: UpstreamCall): void {
    connection.end(call)
    this.#pool.leave(slot)
    this.#calls.ended()
  }

  #tell(code: string, message: string): void {
    this.#options.emit({ type: 'diagnostic', code, server: this.#spec.name, message })
  }

  #createCallLimit(): CallLimit<UpstreamCall> {
    const { clock, maxConcurrency } = this.#options
    const max = this.#spec.maxConcurrency ?? maxConcurrency
    return new CallLimit({ server: () => this.#spec.name, max, clock, send: (call) => this.#sendNow(call) })
  }

  #createPool(): ConnectionPool<Connection> {
    const { clock, idleMs, credentialsOf, limits } = this.#options
    return new ConnectionPool({
      clock,
      idleMs,
      open: (opening) => this.#open(opening),
      isKept: (scope) => this.#startsWhen !== 'lazy' && this.#scopes.isOwn(scope),
      credentialOf: credentialsOf && ((scope) => credentialsOf(this.#spec, scope.principal)?.id),
      onIdle: (scope) => {
        if (this.#scopes.isOwn(scope)) this.#health.stopped()
      },
      onUnused: () => limits.connectionUnused(),
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
        void this.#pool.releaseFirst(origin).catch(() => {})
      },
    })
  }
}
