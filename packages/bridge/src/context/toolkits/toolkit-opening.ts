import type { NamingPolicy } from '@toolbridge/client/internal'
import type { McpTransport } from '@toolbridge/client'
import { type Bridge, openRedactedBridge } from '../../bridge.ts'
import type { BridgeOptions } from '../../bridge-options.ts'
import { localAuthority } from '../../config/resolve/resolve-spec.ts'
import type { Authority } from '../../config/spec/server-spec.ts'
import { createEmit } from '../../journal/events/emit.ts'
import { Redaction } from '../../journal/redaction/redaction.ts'
import { eventStream } from '../../journal/sinks/event-stream.ts'
import { closedError } from '../../upstream/connections/launch.ts'
import type { TransportOf } from '../../upstream/connections/open-connection.ts'
import type { ExecutionContext, ExecutionPrincipal } from '../execution-context.ts'
import type { ClientRequest } from './toolkit-clients.ts'

/** Who runs this process, and what of it a definition may draw on. */
export type LocalAuthority = Authority & { readonly kind: 'local' }

/** What the clients of one principal are opened with. */
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
  | 'permissions'
  | 'pins'
  | 'questions'
  | 'quotas'
  | 'restarts'
  | 'roots'
  | 'sampling'
  | 'startTimeoutMs'
  | 'telemetry'
  | 'trust'
  | 'webSocket'
>

export interface ToolkitHostOptions {
  /** Permissions, questions, journal and the like for one principal; as `openBridge` has them unless told. */
  readonly clientOptions?: (principal: ExecutionPrincipal) => ToolkitClientOptions
  /**
   * What a local principal may draw on: this process unless told. `refused` is for a platform: then whatever runs
   * outside the execution context of a session is an error, and no file and no variable is ever looked at.
   */
  readonly local?: LocalAuthority | 'refused'
  /** After how long without use a client is closed: 300,000 unless told. */
  readonly idleMs?: number
}

/** Who runs: the principal of the execution context, or the person at this machine where there is none. */
export function principalOf(
  context: ExecutionContext | undefined,
  { local }: ToolkitHostOptions,
): ExecutionPrincipal {
  const principal = context?.principal ?? { id: 'local', kind: 'local' }
  if (principal.kind === 'local' && local === 'refused')
    throw new TypeError('only sessions are served here; enter the execution context of one')
  return principal
}

/** What a principal's definitions may draw on. */
export function authorityOf(
  { kind }: ExecutionPrincipal,
  { local }: ToolkitHostOptions,
): LocalAuthority | { readonly kind: 'session' } {
  if (kind === 'session' || local === 'refused') return { kind: 'session' }
  return local ?? localAuthority()
}

/** Opens the client of one toolkit; rejects when its server does not start. */
export async function openToolkit(
  { scope, principal, spec, link }: ClientRequest,
  host: ToolkitHostOptions,
  { naming, conversation, signal }: ToolkitOpening,
): Promise<Bridge> {
  const options = host.clientOptions?.(principal)
  const redaction = new Redaction()
  const opened = {
    ...options,
    // So that opening fails when the server does.
    servers: [{ ...spec, required: true }],
    authority: authorityOf(principal, host),
    origin: { principal: principal.id, conversation },
    naming,
    ...(link === undefined ? {} : { transportOf: onlyOnce(spec.name, link) }),
    signal,
  }
  const bridge = await openRedactedBridge(opened, redaction)
  redactions.set(bridge, redaction)
  createEmit(eventStream(options ?? {}))({ type: 'toolkit.started', workflow: scope, toolkit: spec.name })
  return bridge
}

const redactions = new WeakMap<Bridge, Redaction>()

/** A text of the server of a toolkit, such as the name of a tool, as it may be told. */
export function redactedBy(bridge: Bridge | undefined, text: string): string {
  const redaction = bridge && redactions.get(bridge)
  return redaction?.text(text) ?? text
}

export interface ToolkitOpening {
  readonly naming: Partial<NamingPolicy>
  readonly conversation: string
  readonly signal: AbortSignal
}

/** Links that a client was opened with: they are nobody else's, and cannot be started again. */
const used = new WeakSet<McpTransport>()

function onlyOnce(name: string, link: McpTransport): TransportOf {
  return () => {
    if (used.has(link))
      throw closedError(`the link of toolkit "${name}" is another’s or has ended; hand in a new one`)
    used.add(link)
    return link
  }
}
