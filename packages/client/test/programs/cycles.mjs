/**
 * Connects to a server and closes, again and again, and prints what is left: `node --expose-gc cycles.mjs <script>
 * <rounds> <rounds before the first look>`.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { McpClient } from '@toolbridge/client'
import { StdioTransport } from '@toolbridge/client/stdio'

const [, , program = '', rounds, warmUp] = process.argv

async function round() {
  const transport = new StdioTransport({ command: 'bash', args: [program] })
  const client = new McpClient(transport)
  await client.connect()
  await client.callTool('echo', { text: 'a' })
  await client.close()
}

/** @param {number} count */
async function run(count) {
  for (let done = 0; done < count; done++) await round()
}

/** The least of several looks: what the last round leaves to be collected is finished in the turns after it. */
async function heapInUse() {
  let least = Infinity
  for (let look = 0; look < 6; look++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    globalThis.gc?.()
    least = Math.min(least, process.memoryUsage().heapUsed)
  }
  return least
}

function children() {
  return readdirSync('/proc').filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === process.pid
    } catch {
      return false
    }
  }).length
}

await run(Number(warmUp))
const heapBefore = await heapInUse()
// Node opens its own standard error, which may be a pipe, when the first stream is closed.
const resourcesBefore = process.getActiveResourcesInfo()
await run(Number(rounds) - Number(warmUp))
const heapAfter = await heapInUse()
const resourcesAfter = process.getActiveResourcesInfo()
const left = { heapBefore, heapAfter, resourcesBefore, resourcesAfter, children: children() }
process.stdout.write(JSON.stringify(left))
