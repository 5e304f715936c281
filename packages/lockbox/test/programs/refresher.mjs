/**
 * Uses the tokens of one server in a lockbox: `node refresher.mjs <database> <key> <address of the MCP server> <lease in ms>
 * [<where to stop>]`. Each line of its standard input is a time in milliseconds; for each it answers with one line of JSON:
 * which tokens it would send at that time, as a digest. Told where to stop, it says so and then waits to be killed
 * (`before-intent`, `after-intent`, `after-answer`), or suspends itself until it is continued (`sleep-before-intent`,
 * `sleep-after-intent`).
 */

import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { allowInsecureHttp, allowLoopback, createAuthProvider, McpOAuth } from '@toolbridge/client/auth'
import { openLockbox } from '../../dist/index.js'

const [, , location = '', key = '', serverUrl = '', leaseMs = '', stop = ''] = process.argv
const clock = { nowMs: 0 }
const lockbox = await openLockbox({ location, keyring: { key } })
const store = lockbox.credentials('ada', { leaseMs: Number(leaseMs) })

/** @param {string} place */
async function maybeStop(place) {
  if (!stop.endsWith(place)) return
  process.stdout.write(`${JSON.stringify({ stopped: place })}\n`)
  if (stop.startsWith('sleep')) process.kill(process.pid, 'SIGSTOP')
  else await new Promise((resolve) => setTimeout(resolve, 600_000))
}

const provider = {
  ...createAuthProvider(store, { clientMetadata: {}, redirectToAuthorization: () => undefined }),
  /** @type {import('@toolbridge/client/auth').AuthStore['saveTokens']} */
  async saveTokens(tokenKey, record, expected) {
    const isIntent = record.state.kind === 'refreshing'
    if (isIntent) await maybeStop('before-intent')
    const isSaved = await store.saveTokens(tokenKey, record, expected)
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
