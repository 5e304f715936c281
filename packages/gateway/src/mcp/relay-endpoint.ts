import type { DirectServer } from '@toolbridge/bridge/connections'
import { localAuthority, reuseKey } from '@toolbridge/bridge/config'
import type { CallAdmission } from '../lifecycle/call-admission.ts'
import type { Closable } from '../lifecycle/resource-stack.ts'
import { type ReuseAnswer, signerOf } from '../reuse/reuse-answer.ts'
import type { Principal } from '../sign-in/principal.ts'
import { type CreateSessionServer, McpSessions } from './mcp-sessions.ts'
import { readMessage } from './read-message.ts'
import type { Admit } from './bridge-server.ts'
import { createRelayServer } from './relay-server.ts'

/** The operator's running servers, for commands of the owner that would start the same. */
export interface RelayEndpoint extends Closable {
  /** Names the servers to who knows the owner token, and proves that this gateway knows it. */
  describe(nonce: string): Promise<ReuseAnswer>
  /** Answers a request to the server whose signed key ends the path. */
  handle(request: Request, principal: Principal): Promise<Response>
}

/** Options of `createRelayEndpoint`. */
export interface RelayOptions {
  readonly ownerToken: string
  /** Returns the operator's servers that run. */
  readonly runningServers: () => Promise<readonly DirectServer[]>
  /** Admits the requests of commands. */
  readonly calls: CallAdmission
  readonly stopping: AbortSignal
  readonly log: (line: string) => void
}

export function createRelayEndpoint(options: RelayOptions): RelayEndpoint {
  const { ownerToken, runningServers, calls, stopping, log } = options
  const sign = signerOf(ownerToken)
  const signedServers = async (): Promise<ReadonlyMap<string, DirectServer>> => {
    const authority = localAuthority()
    const servers = await runningServers()
    return new Map(
      servers.flatMap((direct) => {
        const key = reuseKey(direct.spec, authority)
        return key === undefined ? [] : [[sign.key(key), direct] as const]
      }),
    )
  }
  const createServer: CreateSessionServer = async ({ running, request, principal }) => {
    calls.requireOpen()
    const direct = (await signedServers()).get(keyIn(request))
    if (direct === undefined) return undefined
    const admit: Admit = (call) => calls.run(principal.id, call)
    return { server: createRelayServer({ direct, running, admit, stopping, log }), onEnd: () => {} }
  }
  const sessions = new McpSessions({ log, createServer })
  return {
    async describe(nonce) {
      return { proof: sign.nonce(nonce), servers: [...(await signedServers()).keys()] }
    },
    async handle(request, principal) {
      const read = await readMessage(request)
      return 'refused' in read ? read.refused : sessions.handle(request, read.message, principal)
    },
    close: () => sessions.close(),
  }
}

function keyIn({ url }: Request): string {
  return new URL(url).pathname.split('/').at(-1) ?? ''
}
