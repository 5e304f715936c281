/**
 * Sends requests to a running gateway, one after the other: how its CPU time grows with them, and how long another person waits
 * meanwhile.
 *
 * @typedef {import('./requests.mjs').RequestRow} RequestRow
 * @typedef {import('./exponent.mjs').Growth} Growth
 * @typedef {Growth & { delayMs: number }} Cost `delayMs`: the longest that the other person waited at the largest size.
 */
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { openFront } from '../fronts/fronts.mjs'
import { growthOf, isTooSteep, leastMs, steps } from './exponent.mjs'
import { watchHealth } from './health.mjs'
import { kinds } from './kinds.mjs'

/** What another person may wait for at most while one sends anything. */
export const mostDelayMs = 250
/** An answer that takes longer ends the gateway: it answers nobody else meanwhile. */
const answerWithinMs = 10_000
const repetitions = 3
const upstream = fileURLToPath(new URL('../servers/stdio.mjs', import.meta.url))

/** Requests of one person and the health of the gateway, which is started again if it does not answer. */
export class WatchedGateway {
  /** @type {Awaited<ReturnType<typeof open>> | undefined} */
  #open

  /**
   * @param {RequestRow} row
   * @param {string} kind
   * @returns {Promise<Cost>}
   */
  async take(row, kind) {
    let delayMs = 0
    const points = []
    for (const size of [row.limit / 64, row.limit / 8, row.limit].map(Math.floor)) {
      const sent = await this.#send(row, kind, size)
      delayMs = sent.delayMs
      points.push({ size, milliseconds: sent.milliseconds })
      if (delayMs > mostDelayMs && size < row.limit) break
    }
    for (let time = 1; time < repetitions && delayMs > mostDelayMs && delayMs < answerWithinMs; time += 1)
      delayMs = Math.min(delayMs, (await this.#send(row, kind, points.at(-1)?.size ?? 0)).delayMs)
    const cost = { ...(await this.#growth(row, kind, points)), delayMs }
    if (this.#open !== undefined && row.method !== 'GET') await restore(this.#open)
    return cost
  }

  /** @param {NodeJS.Signals} [signal] */
  async close(signal) {
    await this.#open?.close(signal)
    this.#open = undefined
  }

  /**
   * @param {RequestRow} row
   * @param {string} kind
   * @param {import('./exponent.mjs').Point[]} ramp
   */
  async #growth(row, kind, ramp) {
    const largest = ramp.at(-1) ?? { size: 0, milliseconds: 0 }
    const growth = growthOf(ramp.slice(-2))
    if (largest.milliseconds < leastMs || !isTooSteep(growth) || largest.milliseconds >= answerWithinMs)
      return growth
    let points = /** @type {import('./exponent.mjs').Point[]} */ ([])
    for (let time = 0; time < repetitions && (time === 0 || isTooSteep(growthOf(points))); time += 1) {
      const before = points
      points = []
      for (const [index, step] of steps.entries()) {
        const size = Math.floor(largest.size / step)
        const { milliseconds } = await this.#send(row, kind, size)
        points.push({ size, milliseconds: Math.min(milliseconds, before[index]?.milliseconds ?? Infinity) })
      }
    }
    return growthOf(points)
  }

  /**
   * @param {RequestRow} row
   * @param {string} kind
   * @param {number} size
   */
  async #send(row, kind, size) {
    const gateway = (this.#open ??= await open())
    const { body, ...wanted } = requestWithin(row, kind, size)
    await gateway.health.longest()
    const before = await gateway.front.usage()
    const isAnswered = await ask(gateway, row, { ...wanted, body })
    if (!isAnswered) {
      // Without an answer it may wait for a person, or be busy for hours.
      const delayMs = await Promise.race([gateway.health.longest(), after(2_000)])
      if (delayMs !== undefined)
        return {
          delayMs,
          milliseconds: (await gateway.front.usage()).cpuMicros / 1_000 - before.cpuMicros / 1_000,
        }
      await this.close('SIGKILL')
      return { delayMs: answerWithinMs, milliseconds: answerWithinMs }
    }
    const delayMs = await gateway.health.longest()
    return { delayMs, milliseconds: ((await gateway.front.usage()).cpuMicros - before.cpuMicros) / 1_000 }
  }
}

async function open() {
  const front = await openFront('gateway', { command: process.execPath, args: [upstream] }, { log: 'ignore' })
  const origin = new URL(front.url).origin
  const headers = { ...front.apiHeaders, 'content-type': 'application/json' }
  const key = await fetch(`${origin}/api/keys`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'bench', scopes: ['api', 'mcp'] }),
  })
  const { token } = await key.json()
  const health = watchHealth(origin)
  return {
    front,
    origin,
    token,
    health,
    agent: new Agent({ keepAlive: true, maxSockets: 1 }),
    async close(/** @type {NodeJS.Signals | undefined} */ signal) {
      await health.close()
      await front.close(signal)
    },
  }
}

/**
 * A request with as much text as its body may have: escapes make it longer.
 *
 * @param {RequestRow} row
 * @param {string} kind
 * @param {number} size
 */
function requestWithin(row, kind, size) {
  const wanted = row.request(kinds[kind]?.(size) ?? '')
  if (wanted.body === undefined) return { ...wanted, body: undefined }
  const body = Buffer.from(wanted.body)
  if (body.length <= row.limit) return { ...wanted, body }
  const fitting = row.request(kinds[kind]?.(Math.floor((size * row.limit) / body.length) - 256) ?? '')
  return { ...fitting, body: Buffer.from(fitting.body ?? '') }
}

/**
 * Undoes what a request saved, so that the next finds its server and no rules.
 *
 * @param {Awaited<ReturnType<typeof open>>} gateway
 */
async function restore({ front, origin }) {
  const headers = { ...front.apiHeaders, 'content-type': 'application/json' }
  const saved = { mcpServers: { bench: { command: process.execPath, args: [upstream] } } }
  await fetch(`${origin}/api/mcp/config`, { method: 'POST', headers, body: JSON.stringify(saved) })
  await fetch(`${origin}/api/permissions`, { method: 'PUT', headers, body: JSON.stringify({ rules: {} }) })
}

/**
 * Whether the gateway answers in time. What it answers is not looked at: a refusal is an answer.
 *
 * @param {Awaited<ReturnType<typeof open>>} gateway
 * @param {RequestRow} row
 * @param {{ path: string, body: Buffer | undefined, headers?: Record<string, string> }} wanted
 * @returns {Promise<boolean>}
 */
function ask({ origin, token, agent }, { method }, { path, body, headers }) {
  return new Promise((resolve) => {
    const sent = request(`${origin}${path}`, {
      agent,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
      },
    })
    const timer = setTimeout(() => {
      resolve(false)
      sent.destroy()
    }, answerWithinMs)
    const end = () => {
      clearTimeout(timer)
      resolve(true)
    }
    sent.on('response', (response) => {
      const type = response.headers['content-type'] ?? ''
      // A stream that stays open is an answer.
      if (type.startsWith('text/event-stream'))
        response.once('data', () => response.destroy()).on('close', end)
      else response.resume().on('end', end)
    })
    sent.on('error', end)
    sent.end(body)
  })
}
