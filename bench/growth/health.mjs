/** A thread that asks a gateway whether it is healthy, every ten milliseconds, as another person would: for its longest delay. */
import { Agent, get } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'

const everyMs = 10

/**
 * @param {string} origin
 * @returns {{ longest(): Promise<number>, close(): Promise<unknown> }} `longest`: since it was asked for the last time.
 */
export function watchHealth(origin) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { origin } })
  return {
    async longest() {
      worker.postMessage('longest')
      const [longest] = await once(worker, 'message')
      return longest
    },
    close: () => worker.terminate(),
  }
}

/** @param {string} origin */
async function poll(origin) {
  const agent = new Agent({ keepAlive: true })
  let longest = 0
  let startedAt = 0
  let asked = false
  parentPort?.on('message', () => {
    asked = true
  })
  for (;;) {
    startedAt = performance.now()
    await ask(`${origin}/healthz`, agent)
    longest = Math.max(longest, performance.now() - startedAt)
    // One that began before it was asked for: a delay is not missed.
    if (asked) {
      parentPort?.postMessage(longest)
      asked = false
      longest = 0
    }
    await after(everyMs)
  }
}

/**
 * @param {string} url
 * @param {Agent} agent
 */
function ask(url, agent) {
  return new Promise((resolve) => {
    const request = get(url, { agent }, (response) => response.resume().on('end', resolve))
    request.on('error', resolve)
  })
}

if (!isMainThread && workerData?.origin !== undefined) await poll(workerData.origin)
