import type { WorkflowInvokeRequest, WorkflowInvokeResponse, WorkflowNode } from '@toolbridge/api'
import type { PermissionRules } from '@toolbridge/bridge'
import type { ConnectionQuotas, CredentialsOf, TransportOf } from '@toolbridge/bridge/connections'
import { executionContext } from '@toolbridge/bridge/context'
import {
  createWorkflowMCP,
  type MCPNotice,
  type ToolkitClientOptions,
  type WorkflowMCP,
} from '@toolbridge/bridge/workflow'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import { defaultNaming, printable } from '@toolbridge/client/internal'
import type { Settings } from '@toolbridge/lockbox'
import type { ActivityLog } from '../activity/activity-log.ts'
import { gatewayInfo } from '../gateway-info.ts'
import type { QuestionInbox } from '../inbox/question-inbox.ts'
import type { Closable } from '../lifecycle/resource-stack.ts'
import type { ApprovalStores } from '../owners/owner-bridge.ts'
import type { SavingRules } from '../settings/saved-servers.ts'
import type { Principal } from '../sign-in/principal.ts'
import { KnownToolkits } from './known-toolkits.ts'
import { noToolkits, readSavedToolkits, type SavedToolkits } from './saved-toolkits.ts'
import { WorkflowRun } from './workflow-run.ts'

/** Clients of a principal that may be open at once. One invocation uses at most 16. */
const maxClients = 32

/** Unused clients are closed after this time. */
const idleMs = 5 * 60_000

/** Lines about the tools of toolkits that are not logged again. */
const maxResolved = 1_000

/** A server may list any number of tools. */
const maxLineLength = 2_000

export interface WorkflowHostOptions {
  readonly settings: Settings
  readonly inbox: QuestionInbox
  readonly activity: ActivityLog
  readonly approvals: ApprovalStores
  /** Returns the rules that apply to an owner. */
  readonly permissionsOf: (owner: string) => Promise<PermissionRules>
  /** Returns the credentials of an owner for servers that require authorization. */
  readonly credentialsOf: (owner: string) => CredentialsOf | undefined
  /** Restricts the URLs of saved servers and of models. */
  readonly guard: UrlGuardOptions
  /** What an owner may save. */
  readonly savingRules: (owner: string) => SavingRules
  readonly transportOf: TransportOf
  /** Bounds the connections of each principal to servers. */
  readonly quotas: ConnectionQuotas
  readonly log: (line: string) => void
}

/** Runs workflows with the saved servers of their principals, and only those. */
export interface WorkflowHost extends Closable {
  invoke(
    principal: Principal,
    request: WorkflowInvokeRequest,
    signal: AbortSignal,
  ): Promise<WorkflowInvokeResponse>
  /** Closes the clients of an owner's servers, by default of all. Those in use are closed after their calls. */
  closeClients(owner?: string): Promise<void>
  /** Reads the saved servers of an owner again on their next use. */
  forgetToolkits(owner: string): void
}

/** Creates a host. It keeps the clients of servers for later invocations until they are idle. */
export function createWorkflowHost(options: WorkflowHostOptions): WorkflowHost {
  const mcp = createWorkflowMCP({
    local: 'refused',
    naming: defaultNaming,
    maxClients,
    idleMs,
    clientOptions: ({ id }) => clientOptions(options, id),
    permissionsOf: ({ id }) => options.permissionsOf(id),
    onNotice: logOnce(options.log),
  })
  const { settings, savingRules } = options
  const toolkits = new KnownToolkits(
    (owner) => readSavedToolkits(settings, owner, savingRules(owner)),
    idleMs,
  )
  return {
    invoke(principal, request, signal) {
      const run = (saved: SavedToolkits): Promise<WorkflowInvokeResponse> =>
        invoke(options, mcp, saved, principal, request, signal)
      return request.nodes.some(needsToolkits) ? toolkits.use(principal.id, run) : run(noToolkits)
    },
    closeClients(owner) {
      toolkits.forget(owner)
      return mcp.clearMCPClientCache(owner === undefined ? undefined : sessionOf(owner))
    },
    forgetToolkits: (owner) => toolkits.forget(owner),
    close() {
      toolkits.close()
      return mcp.close()
    },
  }
}

/** Neither a configuration file nor the environment of this process is used: the principal is a session. */
async function invoke(
  { guard, log }: WorkflowHostOptions,
  mcp: WorkflowMCP,
  saved: SavedToolkits,
  { id }: Principal,
  { workflowId, nodes, secrets = {}, apiKeys = {} }: WorkflowInvokeRequest,
  signal: AbortSignal,
): Promise<WorkflowInvokeResponse> {
  const mcpContext = { toolkits: saved.usable }
  const context = executionContext({ principal: sessionOf(id), secrets, apiKeys, mcp: mcpContext })
  const run = new WorkflowRun({ mcp, context, workflowId, saved, guard, signal, log })
  return run.run(nodes)
}

function sessionOf(id: string): { readonly id: string; readonly kind: 'session' } {
  return { id, kind: 'session' }
}

function needsToolkits(node: WorkflowNode): boolean {
  return node.kind === 'tool' || (node.toolkits ?? []).length > 0
}

function clientOptions(
  { inbox, activity, approvals, credentialsOf, guard, transportOf, quotas }: WorkflowHostOptions,
  owner: string,
): ToolkitClientOptions {
  const credentials = credentialsOf(owner)
  return {
    answerer: inbox.answererFor(owner),
    journal: activity.journalOf(owner),
    onCallEnd: activity.onCallEnd,
    clientInfo: gatewayInfo,
    guard,
    transportOf,
    quotas,
    ...approvals,
    ...(credentials === undefined ? {} : { credentials }),
  }
}

/** A workflow finds the same tools most times that it runs: each line about the tools of a toolkit is logged once. */
function logOnce(log: (line: string) => void): (notice: MCPNotice) => void {
  const resolved = new Set<string>()
  return (notice) => {
    const line = lineOf(notice)
    if (notice.code === 'toolkit_resolved') {
      if (resolved.has(line)) return
      if (resolved.size >= maxResolved) resolved.clear()
      resolved.add(line)
    }
    log(printable(line, { maxLength: maxLineLength }))
  }
}

function lineOf({ workflowId, message }: MCPNotice): string {
  return workflowId === undefined ? message : `workflow "${workflowId}": ${message}`
}
