import type { Implementation, Tool } from '@toolbridge/client'
import { resolveSpec } from '../config/resolve.ts'
import type { Authority, ServerSpec } from '../config/spec.ts'
import { type Origin, originKey } from '../elicitation/question.ts'
import type { QuestionRouter } from '../elicitation/router.ts'
import type { Emit } from '../journal/emit.ts'
import type { Connection } from './connection.ts'
import { startDeadline } from './deadline.ts'
import { Holds } from './holds.ts'
import { type LaunchOptions, launch } from './launch.ts'
import { ConnectionPool } from './pool.ts'
import { Refresh } from './refresh.ts'
import { explained, messageOf, statusOf, type UpstreamState, type UpstreamStatus } from './state.ts'

export interface UpstreamOptions {
  readonly authority: Authority
  /** The bridge's own origin, over whose connection the tools are listed. */
  readonly origin: Origin
  readonly router: QuestionRouter
  readonly emit: Emit
  readonly clientInfo: Implementation | undefined
  readonly startTimeoutMs: number
  /** The list of tools is another one. */
  readonly onTools: () => void
}

const idleMs = 5 * 60_000

/** One server: its definition, its state, its connections and its tools. Whoever made it closes it. */
export class Upstream {
  readonly #options: UpstreamOptions
  readonly #pool: ConnectionPool<Connection>
  readonly #holds = new Holds()
  readonly #refresh = new Refresh(() => this.#refreshTools())
  #spec: ServerSpec
  #state: UpstreamState
  #tools: readonly Tool[] = []
  #wasReady = false
  #isClosed = false

  constructor(spec: ServerSpec, options: UpstreamOptions) {
    this.#spec = spec
    this.#options = options
    this.#state = { kind: spec.enabled ? 'stopped' : 'disabled' }
    this.#pool = new ConnectionPool({
      open: (origin, signal, onLost) => this.#open(origin, signal, onLost),
      isKept: (origin) => this.#isOwn(origin),
      idleMs,
    })
  }

  get spec(): ServerSpec {
    return this.#spec
  }

  get state(): UpstreamState {
    return this.#state
  }

  get tools(): readonly Tool[] {
    return this.#tools
  }

  get status(): UpstreamStatus {
    return statusOf(this.#spec, this.#state, this.#tools)
  }

  /** There is something that a successor would replace. */
  get isServing(): boolean {
    return this.#state.kind !== 'failed' && this.#state.kind !== 'disabled'
  }

  /** Calls are in flight. */
  get isBusy(): boolean {
    return this.#holds.isHeld
  }

  /** Takes over a definition that starts the same thing but was written elsewhere. */
  adopt(spec: ServerSpec): void {
    this.#spec = spec
  }

  /** Starts an enabled server. Never rejects: a failure is a state, and only this server's. */
  async start(): Promise<void> {
    if (!this.#spec.enabled) return
    await this.#pool.use(this.#options.origin, undefined, async () => {}).catch(() => {})
  }

  /** Keeps the server from being retired while `work` runs. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    return this.#holds.during(work)
  }

  /** Runs `work` on the connection of an origin, which is opened if need be. */
  use<T>(
    origin: Origin,
    signal: AbortSignal | undefined,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    return this.#pool.use(origin, signal, work)
  }

  /** Closes the connection of one origin; its next call opens a new one. */
  async releaseOrigin(origin: Origin): Promise<void> {
    if (this.#isOwn(origin) && this.#state.kind === 'ready') this.#enter({ kind: 'stopped' })
    await this.#pool.release(origin)
  }

  /** Closes once the calls in flight are over. */
  async retire(): Promise<void> {
    await this.#holds.released()
    await this.close()
  }

  /** Ends every connection; calls in flight fail. Idempotent. */
  async close(): Promise<void> {
    this.#refresh.stop()
    if (!this.#isClosed && this.#spec.enabled) this.#enter({ kind: 'stopped' })
    this.#isClosed = true
    await this.#pool.close()
  }

  async #open(origin: Origin, signal: AbortSignal, onLost: () => void): Promise<Connection> {
    const { startTimeoutMs } = this.#options
    const message = `server "${this.#spec.name}" was not ready within ${startTimeoutMs} ms`
    const deadline = startDeadline(message, startTimeoutMs, signal)
    try {
      return await (this.#isOwn(origin)
        ? this.#openOwn(deadline.signal, onLost)
        : this.#launch({ origin, signal: deadline.signal, onLost, onNotification: () => {} }))
    } catch (error) {
      const what = this.#wasReady ? 'is down and did not start again' : 'did not start'
      throw deadline.signal.aborted ? error : explained(this.#spec.name, what, error)
    } finally {
      deadline.stop()
    }
  }

  async #openOwn(signal: AbortSignal, onLost: () => void): Promise<Connection> {
    const startedAt = performance.now()
    this.#enter({ kind: 'starting' })
    let connection: Connection | undefined
    try {
      connection = await this.#launch({
        origin: this.#options.origin,
        signal,
        onLost: (reason) => {
          this.#enter({ kind: 'down', error: reason })
          onLost()
        },
        onNotification: (method) => {
          if (method === 'notifications/tools/list_changed') this.#refresh.soon()
        },
      })
      this.#show(await connection.listTools(signal))
    } catch (error) {
      await connection?.close().catch(() => {})
      this.#enter({ kind: this.#wasReady ? 'down' : 'failed', error })
      throw error
    }
    this.#wasReady = true
    this.#enter({ kind: 'ready', connection, startedInMs: Math.round(performance.now() - startedAt) })
    return connection
  }

  async #launch(
    options: Pick<LaunchOptions, 'origin' | 'signal' | 'onLost' | 'onNotification'>,
  ): Promise<Connection> {
    const { authority, router, clientInfo } = this.#options
    const { spec, issues } = await resolveSpec(this.#spec, authority, { signal: options.signal })
    if (this.#isOwn(options.origin))
      for (const issue of issues) this.#emitDiagnostic(issue.code, issue.message)
    return launch(spec, {
      ...options,
      clientInfo,
      onQuestion: (request, asker, signal) => router.ask(request, asker, signal),
      onWarning: (warning) => this.#tell('server_misbehaves', messageOf(warning)),
    })
  }

  async #refreshTools(): Promise<void> {
    const state = this.#state
    if (state.kind === 'starting') return this.#refresh.soon()
    if (state.kind !== 'ready') return
    try {
      this.#show(await state.connection.listTools(AbortSignal.timeout(this.#options.startTimeoutMs)))
    } catch (error) {
      if (this.#state === state)
        this.#tell('tools_not_refreshed', `its new list of tools could not be read: ${messageOf(error)}`)
    }
  }

  #show(tools: readonly Tool[]): void {
    this.#tools = tools
    this.#options.onTools()
    this.#options.emit({ type: 'tools.changed', server: this.#spec.name, count: tools.length })
  }

  #enter(state: UpstreamState): void {
    if (this.#isClosed) return
    this.#state = state
    const error = 'error' in state ? { error: messageOf(state.error) } : {}
    this.#options.emit({ type: 'server.state', server: this.#spec.name, state: state.kind, ...error })
  }

  #tell(code: string, message: string): void {
    this.#emitDiagnostic(code, `server "${this.#spec.name}": ${message}`)
  }

  #emitDiagnostic(code: string, message: string): void {
    this.#options.emit({ type: 'diagnostic', code, server: this.#spec.name, message })
  }

  #isOwn(origin: Origin): boolean {
    return originKey(origin) === originKey(this.#options.origin)
  }
}
