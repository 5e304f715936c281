import type { Agent, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { unrefTimer } from '../timers.ts'

/** Common servers hang up after five idle seconds, and a request that meets a hang-up on its way may be lost. */
const MAX_IDLE_MS = 4_000

/** A server that says how long it waits is left this much before that. */
const MARGIN_MS = 1_000

export interface KeptConnections {
  /** Hears from a response how long the server keeps an idle connection. */
  learnFrom(response: IncomingMessage): void
  /** Ends all connections, idle or not. */
  close(): void
}

/**
 * Has an agent, which serves one address only, keep its idle connections for a short while. They hold no process open.
 * One sweep serves them all: Node's own way costs a system call and a timer for each request.
 */
export function keepConnections(agent: Agent): KeptConnections {
  let maxIdleMs: number | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let bytesBefore = new Map<Socket, number>()
  const sweep = (): void => {
    const bytesNow = new Map<Socket, number>()
    for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])) {
      if (bytesBefore.get(socket) === socket.bytesWritten) socket.destroy()
      else bytesNow.set(socket, socket.bytesWritten)
    }
    bytesBefore = bytesNow
    if (bytesNow.size === 0) stop()
  }
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  agent.getName = () => ''
  agent.keepSocketAlive = (socket) => {
    const idleMs = maxIdleMs ?? MAX_IDLE_MS
    if (idleMs <= 0) return false
    if (hasUnref(socket)) socket.unref()
    // A connection is found idle by the first sweep after its last request and ended by the second.
    timer ??= unrefTimer(setInterval(sweep, idleMs / 2))
    return true
  }
  return {
    learnFrom({ headers }) {
      maxIdleMs ??= Math.min(MAX_IDLE_MS, announcedMs(headers['keep-alive']) - MARGIN_MS)
    },
    close() {
      stop()
      agent.destroy()
    },
  }
}

function announcedMs(keepAlive: string | string[] | undefined): number {
  const seconds = /timeout=(\d+)/.exec(String(keepAlive))?.[1]
  return seconds === undefined ? Infinity : Number(seconds) * 1_000
}

function hasUnref(socket: object): socket is { unref(): void } {
  return 'unref' in socket
}
