import type { Agent, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { unrefTimer } from '../timing/unref-timer.ts'

/** Common servers close a connection after five idle seconds; a request sent at that moment may be lost. */
const MAX_IDLE_MS = 4_000

/** A connection is closed this long before the timeout that the server announces. */
const MARGIN_MS = 1_000

/**
 * Keeps the idle connections of an agent, which serves one origin only, for a short time. They do not keep the process
 * alive. One sweep covers all of them: Node's own timeout costs a system call and a timer per request.
 */
export class IdleConnections {
  readonly #agent: Agent
  #maxIdleMs: number | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #bytesAtLastSweep: ReadonlyMap<Socket, number> | undefined

  constructor(agent: Agent) {
    this.#agent = agent
    agent.getName = singleName
    agent.keepSocketAlive = (socket) => this.#mayKeep(socket)
  }

  /** Reads from a response how long the server keeps an idle connection. */
  learnFrom({ headers }: IncomingMessage): void {
    this.#maxIdleMs ??= Math.min(MAX_IDLE_MS, announcedMs(headers['keep-alive']) - MARGIN_MS)
  }

  /** Closes all connections, idle or not. */
  close(): void {
    this.#stop()
    this.#agent.destroy()
  }

  #mayKeep(socket: object): boolean {
    const idleMs = this.#maxIdleMs ?? MAX_IDLE_MS
    if (idleMs <= 0) return false
    if (hasUnref(socket)) socket.unref()
    // The first sweep after its last request finds a connection idle, the second closes it.
    this.#timer ??= unrefTimer(setInterval(() => this.#sweep(), idleMs / 2))
    return true
  }

  #sweep(): void {
    const bytesNow = new Map<Socket, number>()
    for (const socket of Object.values(this.#agent.freeSockets).flatMap((sockets) => sockets ?? [])) {
      if (this.#bytesAtLastSweep?.get(socket) === socket.bytesWritten) socket.destroy()
      else bytesNow.set(socket, socket.bytesWritten)
    }
    this.#bytesAtLastSweep = bytesNow
    if (bytesNow.size === 0) this.#stop()
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#bytesAtLastSweep = undefined
  }
}

function singleName(): string {
  return ''
}

function announcedMs(keepAlive: string | string[] | undefined): number {
  const seconds = /timeout=(\d+)/.exec(String(keepAlive))?.[1]
  return seconds === undefined ? Infinity : Number(seconds) * 1_000
}

function hasUnref(socket: object): socket is { unref(): void } {
  return 'unref' in socket
}
