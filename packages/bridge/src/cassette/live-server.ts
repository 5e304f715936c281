import type { McpTransport, WebSocketConstructor } from '@toolbridge/client'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import { resolveSpec } from '../config/resolve/resolve-spec.ts'
import type { InputSource } from '../config/spec/input-spec.ts'
import type { Policy } from '../config/spec/policy.ts'
import type { Authority, ServerSpec } from '../config/spec/server-spec.ts'
import { memoryTrustStore, needsTrust, requireTrust, type TrustStore } from '../config/trust/trust-store.ts'
import { Redaction } from '../journal/redaction/redaction.ts'
import { createRedactor } from '../journal/redaction/redactor.ts'
import {
  authorizationOf,
  type CredentialsOf,
  launchPolicy,
  type TransportOf,
} from '../upstream/connections/open-connection.ts'
import { createTransport } from '../upstream/connections/server-transport.ts'
import { type BridgeMessage, traceMessages } from '../upstream/connections/trace-messages.ts'

/** How a live server is reached. */
export interface LiveServerOptions {
  /** What the variables of the definition may use. */
  readonly authority: Authority
  /** Approved entries of project files. Default: none. */
  readonly trust?: TrustStore
  /** Answers `${input:…}` and `${secret:…}` in the definition. Default: only their own defaults. */
  readonly inputs?: InputSource
  /** Accounts at servers that need authorization. Default: none. */
  readonly credentials?: CredentialsOf
  /** Whose accounts are used. Default: `local`. */
  readonly principal?: string
  /** Restricts the URLs of definitions with `session` authority. Default: public https addresses. */
  readonly guard?: UrlGuardOptions
  /** WebSocket constructor. Default: the platform's (Node 22 or newer). */
  readonly webSocket?: WebSocketConstructor
  /** Creates transports that a definition cannot describe. */
  readonly transportOf?: TransportOf
  /** Called with every JSON-RPC message, without secrets. Default: none. */
  readonly onMessage?: ((message: BridgeMessage) => void) | undefined
  /** Aborting ends the connection. */
  readonly signal: AbortSignal
}

/** A transport to a server with the secrets of its definition. Not started; the caller starts and closes it. */
export interface LiveServer {
  readonly transport: McpTransport
  readonly redaction: Redaction
  readonly policy: Policy
}

/** Creates the transport of a definition as a bridge does: with trust, variables, policies, authorization and redaction. */
export async function liveServer(written: ServerSpec, options: LiveServerOptions): Promise<LiveServer> {
  const { authority, trust = memoryTrustStore(), inputs, signal, webSocket, onMessage } = options
  if (needsTrust(written)) await requireTrust(written, trust)
  const resolving = { signal, isTrusted: true, ...(inputs === undefined ? {} : { inputs }) }
  const { spec } = await resolveSpec(written, authority, resolving)
  const redaction = new Redaction()
  const redactor = createRedactor(spec, redaction)
  const guard = authority.kind === 'session' ? (options.guard ?? {}) : undefined
  const credential = options.credentials?.(written, options.principal ?? 'local')
  const account = credential && authorizationOf(credential, spec, guard)
  const authorization = account && redactor.watched(account)
  const policy = launchPolicy(written, {}, authority)
  const transport =
    options.transportOf?.(spec) ??
    (await createTransport(spec, { signal, authorization, guard, webSocket, policy }, redactor))
  if (onMessage !== undefined) traceMessages(spec, transport, redaction, onMessage)
  return { transport, redaction, policy }
}
