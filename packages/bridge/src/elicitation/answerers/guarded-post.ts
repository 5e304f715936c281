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

export interface PostResponse {
  readonly status: number
  readonly body: string
}

/** Maximum size of a response. */
const maxAnswerBytes = 262_144

/**
 * Posts to a configured URL if the guard allows it, to the IP address that was resolved and checked, without following
 * redirects. Rejects with an `McpSsrfError` or the error of the connection.
 */
export async function guardedPost({ url, headers, body, guard, signal }: GuardedPost): Promise<PostResponse> {
  const target = assertSafeAuthUrl(url, url, guard)
  const address = await abortable(checkedAddress(target, guard), signal)
  const { request } = await (target.protocol === 'https:' ? import('node:https') : import('node:http'))
  return new Promise((resolve, reject) => {
    const sending = request(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      signal,
      // A kept-alive connection may be closed at that moment, which would lose the question.
      agent: false,
      // Host header and certificate use the name; the connection uses the checked IP address.
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

/** Rejects the name if any of its IP addresses is not allowed. */
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

async function readAnswer(response: IncomingMessage): Promise<PostResponse> {
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
