import { McpError, McpErrorCode } from '@toolbridge/client'
import { DeniedError } from '../errors.ts'
import type { Emit } from '../journal/events/emit.ts'
import type { Clock } from '../async/clock.ts'
import type { Connection } from './connections/connection.ts'
import { Heartbeat } from './heartbeat.ts'
import { stderrOf } from './connections/launch.ts'
import { type RestartPolicy, Restarts } from './restarts.ts'
import { isUnauthorized, type RunningServer, type UpstreamState } from './upstream-state.ts'
import { messageOf, shortened } from '../text/message-of.ts'

export interface HealthOptions {
  readonly server: () => string
  readonly initial: 'stopped' | 'disabled'
  readonly emit: Emit
  readonly clock: Clock
  readonly restarts: RestartPolicy
  readonly random: () => number
  readonly keepAliveMs: number
  /** Starts the server again and reports the outcome. */
  readonly restart: () => void
  /** Discards the connection that was ready. */
  readonly drop: (connection: Connection) => void
}

/** The state of one server, with the pings and restarts that maintain it. */
export class Health {
  readonly #options: HealthOptions
  readonly #restarts: Restarts
  #state: UpstreamState
  #since = new Date()
  #heartbeat: Heartbeat | undefined
  #wasReady = false
  #isStopped = false

  constructor(options: HealthOptions) {
    this.#options = options
    this.#state = { kind: options.initial }
    const { restarts: policy, clock, random, restart } = options
    this.#restarts = new Restarts({ policy, clock, random, restart })
  }

  get state(): UpstreamState {
    return this.#state
  }

  get since(): Date {
    return this.#since
  }

  get restarts(): number {
    return this.#restarts.total
  }

  /** Whether the server was ever ready. */
  get wasReady(): boolean {
    return this.#wasReady
  }

  /** Whether the server was closed for good. */
  get isClosed(): boolean {
    return this.#isStopped
  }

  /** Throws during the delay before a restart. */
  assertMayStart(): void {
    const state = this.#state
    const { retryAt } = this.#restarts
    if (retryAt === undefined || !('error' in state)) return
    throw this.#downError(state.error, retryAt)
  }

  starting(): void {
    this.#enter({ kind: 'starting' })
  }

  ready(running: RunningServer): void {
    this.#wasReady = true
    this.#restarts.ready()
    this.#heartbeat = this.#startHeartbeat(running.connection)
    this.#enter({ kind: 'ready', running })
  }

  /** Records that a start failed. */
  startFailed(error: unknown): void {
    if (error instanceof DeniedError && error.code === 'untrusted')
      return this.#enter({ kind: 'untrusted', error })
    if (isUnauthorized(error)) return this.#enter({ kind: 'unauthorized', error })
    if (this.#wasReady) return this.lost(error)
    this.#enter({ kind: 'failed', error })
  }

  /** Records that the connection was lost. */
  lost(error: unknown): void {
    this.#heartbeat?.stop()
    if (this.#isStopped) return
    const { at, isAutomatic } = this.#restarts.planRestart()
    const retryAt = new Date(at)
    this.#enter({ kind: isAutomatic ? 'down' : 'failed', error, retryAt })
  }

  /** Records that the server was closed. Its next use starts it. */
  stopped(): void {
    this.#heartbeat?.stop()
    this.#restarts.stop()
    this.#enter({ kind: 'stopped' })
  }

  /** Records that a request failed. */
  failed(error: unknown): void {
    const running = this.#running()
    if (running === undefined) return
    if (isUnauthorized(error)) return this.#enter({ kind: 'unauthorized', error, running })
    if (!(error instanceof McpError)) return
    if (error.kind === 'unreachable' || error.kind === 'malformed') this.worsened(error)
    if (error.kind === 'timeout') this.#heartbeat?.now()
  }

  /** Records that the server runs with a problem. */
  worsened(error: unknown): void {
    const running = this.#running()
    if (running !== undefined) this.#enter({ kind: 'degraded', running, error })
  }

  /** Records an answer of the server. */
  answered(): void {
    const running = this.#running()
    if (running !== undefined && this.#state.kind !== 'ready') this.#enter({ kind: 'ready', running })
  }

  /** Stops pings and restarts. */
  close(state: UpstreamState): void {
    this.#heartbeat?.stop()
    this.#restarts.stop()
    if (!this.#isStopped) this.#enter(state)
    this.#isStopped = true
  }

  #running(): RunningServer | undefined {
    return 'running' in this.#state ? this.#state.running : undefined
  }

  #startHeartbeat(connection: Connection): Heartbeat {
    const { clock, keepAliveMs: intervalMs } = this.#options
    this.#heartbeat?.stop()
    return new Heartbeat({
      clock,
      intervalMs,
      ping: () => connection.use((client) => client.ping({ timeoutMs: intervalMs })),
      onAnswered: () => this.#pingAnswered(),
      onMissed: (error) => (isUnauthorized(error) ? this.failed(error) : this.worsened(error)),
      onLost: (error) => {
        this.#options.drop(connection)
        this.lost(error)
      },
      hasAnswered: () => connection.takeAnswered(),
      longestCallMs: () => connection.longestCallMs,
    })
  }

  /** A ping proves nothing about credentials, so `unauthorized` stays. */
  #pingAnswered(): void {
    if (this.#state.kind === 'degraded') this.answered()
  }

  #downError(error: unknown, retryAt: number): McpError {
    const seconds = Math.max(1, Math.ceil((retryAt - this.#options.clock.now()) / 1000))
    const when =
      this.#state.kind === 'failed'
        ? `it did not stay up and is not started again by itself; a call in ${seconds} s tries once more`
        : `it is started again in ${seconds} s`
    const message = `server "${this.#options.server()}" is down: ${messageOf(error)}; ${when}`
    const data = { effect: 'none', retryAt: new Date(retryAt).toISOString(), stderr: stderrOf(error) }
    return new McpError(message, { kind: 'closed', code: McpErrorCode.ConnectionClosed, data, cause: error })
  }

  #enter(state: UpstreamState): void {
    if (this.#isStopped || isSame(this.#state, state)) return
    this.#state = state
    this.#since = new Date(this.#options.clock.now())
    const error = 'error' in state ? { error: shortened(messageOf(state.error)) } : {}
    const server = this.#options.server()
    this.#options.emit({ type: 'server.state', server, state: state.kind, ...error })
  }
}

/** The same problem as before is not reported again. */
function isSame(before: UpstreamState, now: UpstreamState): boolean {
  if (before.kind !== now.kind || now.kind === 'starting') return false
  const text = (state: UpstreamState): string => ('error' in state ? messageOf(state.error) : '')
  return now.kind !== 'down' && now.kind !== 'failed' && text(before) === text(now)
}
