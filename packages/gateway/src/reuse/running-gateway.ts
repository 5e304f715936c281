import { type Authority, reuseKey, type ServerSpec } from '@toolbridge/bridge/config'
import type { McpTransport } from '@toolbridge/client'
import { type OwnerFile, readOwnerFile } from '../sign-in/owner-file.ts'
import { provenAnswer } from './proven-answer.ts'
import { RelayTransport } from './relay-transport.ts'
import { reusePath, signerOf } from './reuse-answer.ts'

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

const answerTimeoutMs = 2_000

async function askGateway(owner: OwnerFile): Promise<RunningGateway | undefined> {
  const { url, token } = owner
  const sign = signerOf(token)
  const answer = await provenAnswer(owner, AbortSignal.timeout(answerTimeoutMs))
  if (answer === undefined) return undefined
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
