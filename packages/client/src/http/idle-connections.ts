import type { Agent, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { unrefTimer } from '../timing/unref-timer.ts'

/** Common servers hang up after five idle seconds, and a request that meets a hang-up on its way may be lost. */
const MAX_IDLE_MS = 4_000

/** A server that says how long it waits is left this much before that. */
const MARGIN_MS = 1_000

/**
 * Has an agent, which serves one address only, keep its idle connections for a short while. They hold no process open.
 * One sweep serves them all: Node's own way costs a system call and a timer for each request.
 */
export class IdleConnections {
  readonly #agent: Agent
  #maxIdleMs: number | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #bytesBefore: ReadonlyMap<Socket, number> | undefined

  constructor(agent: Agent) {
    this.#agent = agent
    agent.getName = oneName
    agent.keepSocketAlive = (socket) => this.#mayKeep(socket)
  }

  /** Hears from a response how long the server keeps an idle connection. */
  learnFrom({ headers }: IncomingMessage): void {
    this.#maxIdleMs ??= Math.min(MAX_IDLE_MS, announcedMs(headers['keep-alive']) - MARGIN_MS)
  }

  /** Ends all connections, idle or not. */
  close(): void {
    this.#stop()
    this.#agent.destroy()
  }

  #mayKeep(socket: object): boolean {
    const idleMs = this.#maxIdleMs ?? MAX_IDLE_MS
    if (idleMs <= 0) return false
    if (hasUnref(socket)) socket.unref()
    // A connection is found idle by the first sweep after its last request and ended by the second.
    this.#timer ??= unrefTimer(setInterval(() => this.#sweep(), idleMs / 2))
    return true
  }

  #sweep(): void {
    const bytesNow = new Map<Socket, number>()
    for (const socket of Object.values(this.#agent.freeSockets).flatMap((sockets) => sockets ?? [])) {
      if (this.#bytesBefore?.get(socket) === socket.bytesWritten) socket.destroy()
      else bytesNow.set(socket, socket.bytesWritten)
    }
    this.#bytesBefore = bytesNow
    if (bytesNow.size === 0) this.#stop()
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#bytesBefore = undefined
  }
}

function oneName(): string {
  return ''
}

function announcedMs(keepAlive: string | string[] | undefined): number {
  const seconds = /timeout=(\d+)/.exec(String(keepAlive))?.[1]
  return seconds === undefined ? Infinity : Number(seconds) * 1_000
}

function hasUnref(socket: object): socket is { unref(): void } {
  return 'unref' in socket
}
