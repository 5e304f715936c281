import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { type Authority, reuseKey, type ServerSpec } from '@toolbridge/bridge/config'
import type { McpTransport } from '@toolbridge/client'
import { type OwnerFile, readOwnerFile } from '../sign-in/owner-file.ts'
import { RelayTransport } from './relay-transport.ts'
import { type ReuseAnswer, readReuseAnswer, reusePath, signerOf } from './reuse-answer.ts'

/** A gateway of this user that runs on this machine. */
export interface RunningGateway {
  /** Returns what connects to the server that the gateway runs by the same definition. Undefined if it runs none. */
  connectorTo(spec: ServerSpec, authority: Authority): (() => McpTransport) | undefined
}

/**
 * Finds the gateway that runs on a data folder. Never rejects: undefined if there is none. The token is sent only to a
 * gateway that has proved that it knows it, because another program may listen on the port of one that has ended.
 */
export async function findRunningGateway(dataFolder: string): Promise<RunningGateway | undefined> {
  try {
    const owner = await readOwnerFile(dataFolder)
    return owner && (await askGateway(owner))
  } catch {
    return undefined
  }
}

async function askGateway({ url, token }: OwnerFile): Promise<RunningGateway | undefined> {
  const sign = signerOf(token)
  const nonce = randomBytes(24).toString('base64url')
  const answer = await fetchAnswer(`${url}${reusePath}?nonce=${nonce}`)
  if (answer?.proof !== sign.nonce(nonce)) return undefined
  const servers = new Set(answer.servers)
  return {
    connectorTo(spec, authority) {
      const key = reuseKey(spec, authority)
      const signed = key === undefined ? '' : sign.key(key)
      if (!servers.has(signed)) return undefined
      return () => new RelayTransport(`${url}${reusePath}/${signed}`, token)
    },
  }
}

const answerTimeoutMs = 2_000

/** With `node:http`, because loading `fetch` takes longer than the rest of a call. */
async function fetchAnswer(url: string): Promise<ReuseAnswer | undefined> {
  const body = await new Promise<string>((resolve, reject) => {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(answerTimeoutMs) }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(text))
      response.on('error', reject)
    })
    request.on('error', reject)
  })
  return readReuseAnswer(body)
}
