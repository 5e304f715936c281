import type {
  EraCache,
  Implementation,
  McpAuthorization,
  McpTransport,
  WebSocketConstructor,
} from '@toolbridge/client'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import type { InputSource } from '../../config/spec/input-spec.ts'
import { resolveSpec } from '../../config/resolve/resolve-spec.ts'
import type { Authority, ResolvedSpec, ServerSpec } from '../../config/spec/server-spec.ts'
import { needsTrust, requireTrust, type TrustStore } from '../../config/trust/trust-store.ts'
import type { ClientFeatures } from './server-questions.ts'
import type { Connection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import { launch } from './launch.ts'
import type { Processes } from './processes.ts'
import type { ConnectionRequest } from '../limits/connection-limiter.ts'
import type { ConnectionQuotas } from '../limits/quotas.ts'
import type { ConnectionScope } from './connection-scope.ts'

/** An account of a principal at a server. */
export interface Credential {
  /** Another one when the account is connected anew, the same when its token is refreshed. */
  readonly id: string
  /** What authorizes its requests, or what makes that of the definition as it is started. */
  readonly authorization: McpAuthorization | MakeAuthorization
  /** Resolves when the sign-in at this address is over; rejects when it failed. Without it nobody is asked to sign in. */
  readonly signedIn?: (authorizationUrl: string, options: { readonly signal: AbortSignal }) => Promise<void>
}

/** Makes the authorization for a definition whose requests are bound to a guard, if any; none where it needs none. */
export type MakeAuthorization = (
  spec: ResolvedSpec,
  guard: UrlGuardOptions | undefined,
) => McpAuthorization | undefined

/** Says which account a principal uses at a server. On the path of every call, so it answers at once. */
export type CredentialsOf = (spec: ServerSpec, principal: string) => Credential | undefined

/** Makes the link to a server in place of what its definition says; undefined for a server whose definition says it all. */
export type TransportOf = (spec: ServerSpec) => McpTransport | undefined

/** What opening a connection takes, whatever the server. */
export interface OpenServices {
  readonly authorityOf: (spec: ServerSpec) => Authority
  readonly trust: TrustStore
  readonly inputs?: InputSource | undefined
  readonly quotas: ConnectionQuotas | undefined
  readonly credentialsOf: CredentialsOf | undefined
  /** Which addresses definitions of `session` authority may name. */
  readonly guard: UrlGuardOptions
  readonly webSocket: WebSocketConstructor | undefined
  readonly transportOf?: TransportOf | undefined
  readonly features: ClientFeatures
  readonly processes: Processes
  readonly clientInfo: Implementation | undefined
}

/** On whose behalf a connection is opened, and who hears of it. */
export interface OpenOptions {
  readonly scope: ConnectionScope
  /** The server may ask at any time: then only the scope's own origin may use the connection. */
  readonly mayAskAnytime: boolean
  /** Which era the server speaks, as far as its other connections found out. */
  readonly eras: EraCache
  /** How long it may take. */
  readonly deadline: Deadline
  readonly onLost: (reason: unknown) => void
  /** The definition may be started, and is. */
  readonly onStart: () => void
  /** Something about the definition, or the server, that is worth a line. */
  readonly onRemark: (code: string, message: string) => void
  /** What the connection counts as against the quotas. */
  readonly request: ConnectionRequest
  /** Keeps the connection open until what it returns is called. */
  readonly hold: () => () => void
  /** Nothing is left of the connection, whether it ever opened or not. */
  readonly onClosed: () => void
}

/** Opens a connection: trusted, resolved, within the quota. A rejection leaves nothing behind. */
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
    ...(services.inputs === undefined ? {} : { inputs: untimed(services.inputs, deadline) }),
  })
  for (const { code, message } of resolution.issues) onRemark(code, message)
  const guard = authority.kind === 'session' ? services.guard : undefined
  const credential = services.credentialsOf?.(spec, scope.principal)
  const permit = await services.quotas?.acquire({ ...opening.request, signal })
  return launch(resolution.spec, {
    scope,
    signal,
    onLost,
    mayAskAnytime: opening.mayAskAnytime,
    eras: opening.eras,
    hold: opening.hold,
    features: services.features,
    clientInfo: services.clientInfo,
    guard,
    authorization: credential && authorizationOf(credential, resolution.spec, guard),
    webSocket: services.webSocket,
    transportOf: services.transportOf,
    processes: services.processes,
    onWarning: (warning) => onRemark('server_misbehaves', `server "${spec.name}": ${textOf(warning)}`),
    onClosed: () => {
      permit?.release()
      opening.onClosed()
    },
  })
}

function authorizationOf(
  { authorization }: Credential,
  spec: ResolvedSpec,
  guard: UrlGuardOptions | undefined,
): McpAuthorization | undefined {
  return typeof authorization === 'function' ? authorization(spec, guard) : authorization
}

/** A person's time to answer is no fault of the server's. */
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
