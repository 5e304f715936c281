import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { assertSafeAuthUrl, type UrlGuardOptions } from '@toolbridge/client/auth'
import { abortable } from '@toolbridge/client/internal'

export interface GuardedPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly guard: UrlGuardOptions
  readonly signal: AbortSignal
}

export interface PostAnswer {
  readonly status: number
  readonly body: string
}

/** More than any answer of a person. */
const maxAnswerBytes = 262_144

/**
 * Posts to an address that somebody wrote into a setting: only where the guard lets it, to the very machine that was
 * looked up and checked, and following nothing. Rejects with an `McpSsrfError` or what the connection met.
 */
export async function guardedPost({ url, headers, body, guard, signal }: GuardedPost): Promise<PostAnswer> {
  const target = assertSafeAuthUrl(url, url, guard)
  const address = await abortable(checkedAddress(target, guard), signal)
  const { request } = await (target.protocol === 'https:' ? import('node:https') : import('node:http'))
  return new Promise((resolve, reject) => {
    const sending = request(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      signal,
      // A connection that was kept may be hung up at that moment, and the question would be lost with it.
      agent: false,
      // The name stays in Host and in the certificate; the connection goes to the address that was checked.
      lookup: (_name, { all }, found) =>
        all === true
          ? found(null, [{ address, family: isIP(address) }])
          : found(null, address, isIP(address)),
    })
    sending.on('error', reject)
    sending.on('response', (response) => void readAnswer(response).then(resolve, reject))
    sending.end(body)
  })
}

/** Everything that a name resolves to has to be safe: one bad address is enough to refuse them all. */
async function checkedAddress(target: URL, guard: UrlGuardOptions): Promise<string> {
  const host = target.hostname.replaceAll(/[[\]]/g, '')
  const addresses = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }]
  for (const { address } of addresses) {
    const literal = new URL(target)
    literal.hostname = isIP(address) === 6 ? `[${address}]` : address
    assertSafeAuthUrl(literal, literal, guard)
  }
  const [first] = addresses
  if (first === undefined) throw new Error('the host of the webhook has no address')
  return first.address
}

async function readAnswer(response: IncomingMessage): Promise<PostAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxAnswerBytes) throw new Error('the answer of the webhook is too long')
    chunks.push(bytes)
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }
}
