import type {
  EraCache,
  Implementation,
  McpAuthorization,
  McpTransport,
  WebSocketConstructor,
} from '@toolbridge/client'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import type { Clock } from '../../async/clock.ts'
import type { InputSource } from '../../config/spec/input-spec.ts'
import { resolveSpec } from '../../config/resolve/resolve-spec.ts'
import { defaultPolicy, type Policy, setPolicies } from '../../config/spec/policy.ts'
import type { Authority, ResolvedSpec, ServerSpec } from '../../config/spec/server-spec.ts'
import { FoldedMessages } from '../../journal/events/folded-messages.ts'
import { needsTrust, requireTrust, type TrustStore } from '../../config/trust/trust-store.ts'
import type { ClientFeatures } from './server-questions.ts'
import type { Connection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import { launch } from './launch.ts'
import type { ObservedConnections } from './observed-connections.ts'
import type { Processes } from './processes.ts'
import type { BridgeMessage } from './trace-messages.ts'
import type { ConnectionRequest } from '../limits/connection-limiter.ts'
import type { ConnectionQuotas } from '../limits/quotas.ts'
import type { Claim } from './claim.ts'
import type { ConnectionScope } from './connection-scope.ts'

/** An account of a principal at a server. */
export interface Credential {
  /** Changes when the account is reconnected, not when its token is refreshed. */
  readonly id: string
  /** Authorizes the requests, or creates the authorization for a resolved definition. */
  readonly authorization: McpAuthorization | MakeAuthorization
  /** Resolves when the sign-in at this URL succeeded; rejects when it failed. Without it, nobody is asked to sign in. */
  readonly signedIn?: (authorizationUrl: string, options: { readonly signal: AbortSignal }) => Promise<void>
}

/** Creates the authorization of a resolved definition; undefined if it needs none. Requests must respect the guard. */
export type MakeAuthorization = (
  spec: ResolvedSpec,
  guard: UrlGuardOptions | undefined,
) => McpAuthorization | undefined

/** Returns the account that a principal uses at a server. Called with every call, so it must be fast. */
export type CredentialsOf = (spec: ServerSpec, principal: string) => Credential | undefined

/** Creates the transport of a server; undefined to use its definition. */
export type TransportOf = (spec: ServerSpec) => McpTransport | undefined

/** Dependencies of `openConnection` for every server. */
export interface OpenServices {
  readonly authorityOf: (spec: ServerSpec) => Authority
  readonly trust: TrustStore
  readonly inputs?: InputSource | undefined
  readonly quotas: ConnectionQuotas | undefined
  readonly credentialsOf: CredentialsOf | undefined
  /** Restricts the URLs of definitions with `session` authority. */
  readonly guard: UrlGuardOptions
  readonly webSocket: WebSocketConstructor | undefined
  readonly transportOf?: TransportOf | undefined
  /** Called with every message, without secrets. */
  readonly onMessage?: ((message: BridgeMessage) => void) | undefined
  /** Policies of the bridge. */
  readonly policy: Partial<Policy>
  readonly features: ClientFeatures
  readonly processes: Processes
  readonly observed: ObservedConnections
  readonly clientInfo: Implementation | undefined
  readonly clock: Clock
}

/** Warnings about a connection that are reported per minute. */
const maxWarningsPerMinute = 20

/** Dependencies of `openConnection` for one connection. */
export interface OpenOptions {
  readonly scope: ConnectionScope
  /** Whether the server may ask at any time; then one caller at a time uses the connection. */
  readonly mayAskAnytime: boolean
  /** Which caller that is. */
  readonly claim: Claim
  /** Called when the quotas admit the connection. */
  readonly onPermit: () => void
  /** The server's era as found by its other connections. */
  readonly eras: EraCache
  /** Start timeout. */
  readonly deadline: Deadline
  readonly onLost: (reason: unknown) => void
  /** Called when the definition is trusted and starts. */
  readonly onStart: () => void
  /** Called with issues of the definition or the server. */
  readonly onRemark: (code: string, message: string) => void
  /** Request to the quotas. */
  readonly request: ConnectionRequest
  /** Keeps the connection open until the returned function is called. */
  readonly hold: () => () => void
  /** Called when the connection is gone, even if it never opened. */
  readonly onClosed: () => void
}

/** Checks trust, resolves the definition, acquires the quota and connects. Leaves nothing behind when it rejects. */
export async function openConnection(
  spec: ServerSpec,
  services: OpenServices,
  opening: OpenOptions,
): Promise<Connection> {
  if (needsTrust(spec)) await requireTrust(spec, services.trust)
  const { scope, deadline, onLost, onRemark } = opening
  const { signal } = deadline
  opening.onStart()
  const authority = services.authorityOf(spec)
  const resolution = await resolveSpec(spec, authority, {
    signal,
    isTrusted: true,
    policy: services.policy,
    ...(services.inputs === undefined ? {} : { inputs: untimed(services.inputs, deadline) }),
  })
  for (const { code, message } of resolution.issues) onRemark(code, message)
  const guard = authority.kind === 'session' ? services.guard : undefined
  const credential = services.credentialsOf?.(spec, scope.principal)
  let warnings: FoldedMessages | undefined
  const waiting = AbortSignal.any([signal, opening.request.signal])
  const permit = await services.quotas?.acquire({ ...opening.request, signal: waiting })
  opening.onPermit()
  return launch(resolution.spec, {
    scope,
    signal,
    startTimeoutMs: deadline.timeoutMs,
    onLost,
    mayAskAnytime: opening.mayAskAnytime,
    claim: opening.claim,
    eras: opening.eras,
    hold: opening.hold,
    policy: launchPolicy(spec, services.policy, authority),
    features: services.features,
    clientInfo: services.clientInfo,
    guard,
    authorization: credential && authorizationOf(credential, resolution.spec, guard),
    webSocket: services.webSocket,
    transportOf: services.transportOf,
    processes: services.processes,
    observed: services.observed,
    onMessage: services.onMessage,
    onWarning: (warning) => {
      warnings ??= new FoldedMessages(services.clock, maxWarningsPerMinute)
      const message = warnings.next('', `server "${spec.name}": ${textOf(warning)}`)
      if (message !== undefined) onRemark('server_misbehaves', message)
    },
    onClosed: () => {
      permit?.release()
      opening.onClosed()
    },
  })
}

/** All policies of a server. A session does not write to the terminal of this process. */
export function launchPolicy(spec: ServerSpec, ofBridge: Partial<Policy>, { kind }: Authority): Policy {
  const policy = { ...defaultPolicy, ...setPolicies(spec, ofBridge) }
  return kind === 'session' && policy.stderr === 'inherit' ? { ...policy, stderr: 'capture' } : policy
}

/** The authorization of a credential for a resolved definition. */
export function authorizationOf(
  { authorization }: Credential,
  spec: ResolvedSpec,
  guard: UrlGuardOptions | undefined,
): McpAuthorization | undefined {
  return typeof authorization === 'function' ? authorization(spec, guard) : authorization
}

/** The start timeout does not run while a person answers. */
function untimed(inputs: InputSource, deadline: Deadline): InputSource {
  return {
    answer: async (request, options) => {
      const goOn = deadline.pause()
      try {
        return await inputs.answer(request, options)
      } finally {
        goOn()
      }
    },
  }
}

function textOf(warning: unknown): string {
  return warning instanceof Error ? warning.message : String(warning)
}
