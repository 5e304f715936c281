import type { NamingPolicy } from '@toolbridge/client/internal'
import type { McpTransport } from '@toolbridge/client'
import { type Bridge, openRedactedBridge } from '../../bridge.ts'
import type { BridgeOptions } from '../../bridge-options.ts'
import { localAuthority } from '../../config/resolve/resolve-spec.ts'
import type { InputSource } from '../../config/spec/input-spec.ts'
import type { Authority } from '../../config/spec/server-spec.ts'
import { createEmit } from '../../journal/events/emit.ts'
import { Redaction } from '../../journal/redaction/redaction.ts'
import type { PermissionRules } from '../../permission/rules/rules.ts'
import { eventStream } from '../../journal/sinks/event-stream.ts'
import { closedError } from '../../upstream/connections/launch.ts'
import type { TransportOf } from '../../upstream/connections/open-connection.ts'
import type { ExecutionContext, ExecutionPrincipal } from '../execution-context.ts'
import type { ConnectionQuotas } from '../../upstream/limits/quotas.ts'
import type { ClientRequest, ClientUse } from './toolkit-clients.ts'

/** The authority of the local user over variables and files of this machine. */
export type LocalAuthority = Authority & { readonly kind: 'local' }

/** Bridge options for the clients of one principal. */
export type ToolkitClientOptions = Pick<
  BridgeOptions,
  | 'answerer'
  | 'approver'
  | 'callTimeoutMs'
  | 'clientInfo'
  | 'credentials'
  | 'grants'
  | 'guard'
  | 'hooks'
  | 'inputs'
  | 'journal'
  | 'keepAliveMs'
  | 'onCallEnd'
  | 'permissions'
  | 'pins'
  | 'questions'
  | 'quotas'
  | 'restarts'
  | 'roots'
  | 'sampling'
  | 'startTimeoutMs'
  | 'telemetry'
  | 'transportOf'
  | 'trust'
  | 'webSocket'
>

/** Options shared by the hosts of toolkits. */
export interface ToolkitHostOptions {
  /** Bridge options per principal. Default: those of `openBridge`. */
  readonly clientOptions?: (principal: ExecutionPrincipal) => ToolkitClientOptions
  /** Permission rules per principal, read when a client is opened. Default: those of `clientOptions`. */
  readonly permissionsOf?: (principal: ExecutionPrincipal) => Promise<PermissionRules>
  /**
   * The authority of local principals. `refused` is for platforms: code outside the execution context of a session
   * fails, and no file or variable is ever read. Default: the variables and working folder of this process.
   */
  readonly local?: LocalAuthority | 'refused'
  /** Idle time after which a client is closed. Default: 300 s. */
  readonly idleMs?: number
  /** Maximum number of open clients per principal: for another one, the longest unused is closed. Default: no limit. */
  readonly maxClients?: number
}

/** The principal of the execution context, else the local user. */
export function principalOf(
  context: ExecutionContext | undefined,
  { local }: ToolkitHostOptions,
): ExecutionPrincipal {
  const principal = context?.principal ?? { id: 'local', kind: 'local' }
  if (principal.kind === 'local' && local === 'refused')
    throw new TypeError('only sessions are served here; enter the execution context of one')
  return principal
}

/** The authority of the definitions of a principal. */
export function authorityOf(
  { kind }: ExecutionPrincipal,
  { local }: ToolkitHostOptions,
): LocalAuthority | { readonly kind: 'session' } {
  if (kind === 'session' || local === 'refused') return { kind: 'session' }
  return local ?? localAuthority()
}

/** Opens the client of one toolkit. Rejects if its server does not start. */
export async function openToolkit(
  { scope, principal, spec, link, secrets }: ClientRequest,
  host: ToolkitHostOptions,
  { naming, conversation, isAnonymous, signal, use }: ToolkitOpening,
): Promise<Bridge> {
  const options = host.clientOptions?.(principal)
  const permissions = await host.permissionsOf?.(principal)
  const redaction = new Redaction()
  const opened = {
    ...options,
    // Makes `openBridge` reject if the server fails.
    servers: [{ ...spec, required: true }],
    authority: authorityOf(principal, host),
    origin: { principal: principal.id, conversation, ...(isAnonymous === true ? { isAnonymous } : {}) },
    naming,
    ...(options?.quotas === undefined ? {} : { quotas: evictingUnused(options.quotas, use) }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(Object.keys(secrets).length === 0 ? {} : { inputs: withSecrets(secrets, options?.inputs) }),
    ...(link === undefined ? {} : onlyConnection(spec.name, link, options?.questions)),
    signal,
  }
  const bridge = await openRedactedBridge(opened, redaction)
  redactions.set(bridge, redaction)
  createEmit(eventStream(options ?? {}))({ type: 'toolkit.started', workflow: scope, toolkit: spec.name })
  return bridge
}

/** Answers `${secret:…}` with the secrets of the execution context; other requests go to the inputs of the principal. */
function withSecrets(secrets: ClientRequest['secrets'], inputs: InputSource | undefined): InputSource {
  return {
    answer: async (request, options) =>
      request.kind === 'secret' && Object.hasOwn(secrets, request.id)
        ? secrets[request.id]
        : inputs?.answer(request, options),
  }
}

const redactions = new WeakMap<Bridge, Redaction>()

/** Removes the secrets of a toolkit from a text of its server. */
export function redactedBy(bridge: Bridge, text: string): string {
  return redactions.get(bridge)?.text(text) ?? text
}

/** Removes the secrets of a toolkit from the names of tools. */
export function redactedNames(bridge: Bridge | undefined, names: readonly string[]): readonly string[] {
  const redaction = bridge && redactions.get(bridge)
  return redaction === undefined ? names : names.map((name) => redaction.name(name))
}

export interface ToolkitOpening {
  readonly naming: Partial<NamingPolicy>
  readonly conversation: string
  /** Whether callers without an identity share the connection of that conversation. Default: false. */
  readonly isAnonymous?: boolean
  readonly signal: AbortSignal
  readonly use: ClientUse
}

/** Quotas that close the whole client if it is unused: a bridge keeps its own connection open. */
function evictingUnused(quotas: ConnectionQuotas, use: ClientUse): ConnectionQuotas {
  return {
    acquire: (request) =>
      quotas.acquire({
        ...request,
        idleMs: () => request.idleMs() ?? use.idleMs(),
        evict: async () => (await request.evict()) || use.evict(),
      }),
  }
}

/** Live transports that already have a client: they cannot be shared or restarted. */
const used = new WeakSet<McpTransport>()

/** Callers on different channels use the only connection one after the other. */
function onlyConnection(
  name: string,
  link: McpTransport,
  questions: BridgeOptions['questions'],
): Pick<BridgeOptions, 'transportOf' | 'questions'> {
  return { transportOf: onlyOnce(name, link), questions: { ...questions, maxConnectionsPerServer: 0 } }
}

function onlyOnce(name: string, link: McpTransport): TransportOf {
  return () => {
    if (used.has(link))
      throw closedError(`the link of toolkit "${name}" is another’s or has ended; hand in a new one`)
    used.add(link)
    return link
  }
}
