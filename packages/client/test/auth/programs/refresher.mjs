/**
 * Uses the tokens in a folder for one server: `node refresher.mjs <folder> <address of the MCP server> [<where to stop>]`.
 * Each line of its standard input is a time in milliseconds; for each it answers with one line of JSON: which tokens it
 * would send at that time, as a digest. Told where to stop, it says so and then waits to be killed: `before-intent`,
 * `after-intent` or `after-answer`.
 */

import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { allowInsecureHttp, allowLoopback, McpOAuth } from '@toolbridge/client/auth'
import { fileAuthProvider } from '@toolbridge/client/auth-node'

const [, , folder = '', serverUrl = '', stop = ''] = process.argv
const clock = { nowMs: 0 }
const files = fileAuthProvider({ folder, clientMetadata: {}, redirectToAuthorization: () => undefined })

/** @param {string} place */
async function maybeStop(place) {
  if (stop !== place) return
  process.stdout.write(`${JSON.stringify({ stopped: place })}\n`)
  await new Promise((resolve) => setTimeout(resolve, 600_000))
}

/** @type {import('@toolbridge/client/auth').McpAuthProvider} */
const provider = {
  ...files,
  async saveTokens(key, record, expected) {
    const isIntent = record.state.kind === 'refreshing'
    if (isIntent) await maybeStop('before-intent')
    const isSaved = await files.saveTokens(key, record, expected)
    await maybeStop(isIntent ? 'after-intent' : 'after-answer')
    return isSaved
  },
}

const oauth = new McpOAuth({
  serverUrl,
  provider,
  security: { [allowLoopback]: true, [allowInsecureHttp]: true },
  now: () => clock.nowMs,
})
await oauth.authorize().catch(() => undefined)
process.stdout.write('{"ready":true}\n')

for await (const line of createInterface({ input: process.stdin })) {
  clock.nowMs = Number(line)
  const answer = await oauth.authHeader().then(
    ({ authorization = '' }) => ({ token: createHash('sha256').update(authorization).digest('hex') }),
    (/** @type {unknown} */ error) => ({ error: String(error) }),
  )
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
