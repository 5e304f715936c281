import type { NodeResult, ToolNode, WorkflowInvokeRequest, WorkflowInvokeResponse } from '@toolbridge/api'
import { type Bridge, type Origin, openBridge, type ServerSpec, UnknownToolError } from '@toolbridge/bridge'
import { type MCPToolkit, type MCPToolkitMap, toolkitSpecs } from '@toolbridge/bridge/context'
import { loggedBug, problemOf } from '../errors/problems.ts'
import { gatewayInfo } from '../gateway-info.ts'
import type { GatewayServices } from '../services.ts'
import type { ClearEntry, ClearServers } from '../settings/mask-servers.ts'
import { type ProgramRules, programRefusals, sandboxed } from '../sandbox/sandboxed-program.ts'
import { readSaved } from '../settings/saved-servers.ts'
import type { Principal } from '../sign-in/principal.ts'

const maxServers = 16

type InvokeServices = Pick<
  GatewayServices,
  | 'settings'
  | 'inbox'
  | 'activity'
  | 'ownRules'
  | 'approvals'
  | 'guard'
  | 'savedPrograms'
  | 'transportOf'
  | 'log'
>

/**
 * Runs the nodes in order with the principal's saved servers, and only those: neither a configuration file nor the
 * environment of this process is used. Aborting cancels the start and the running call. The servers are always stopped.
 */
export async function invokeWorkflow(
  services: InvokeServices,
  principal: Principal,
  { workflowId, nodes }: WorkflowInvokeRequest,
  signal: AbortSignal,
): Promise<WorkflowInvokeResponse> {
  const saved = await readSaved(services.settings, principal.id)
  const all = toolkitSpecs(toolkitsOf(saved?.servers ?? {}))
  const refused = all.flatMap((spec) => refusalOf(spec, services.savedPrograms))
  const isRefused = (spec: ServerSpec): boolean => refused.some(({ name }) => name === spec.name)
  const specs = all.filter((spec) => !isRefused(spec)).map((spec) => sandboxed(spec, services.savedPrograms))
  const origin = { principal: principal.id, conversation: `workflow:${workflowId}` }
  await using bridge = await openWorkflowBridge(services, origin, specs.slice(0, maxServers), signal)
  const results = await runNodes(bridge, nodes, signal, services.log)
  const failedToolkits = [...failedServers(bridge), ...refused, ...specs.slice(maxServers).map(aboveLimit)]
  return { workflowId, nodes: results, failedToolkits }
}

type FailedToolkit = WorkflowInvokeResponse['failedToolkits'][number]

function refusalOf(spec: ServerSpec, rules: ProgramRules): readonly FailedToolkit[] {
  const [refusal] = spec.transport === 'stdio' ? programRefusals(spec, rules) : []
  return refusal === undefined ? [] : [{ name: spec.name, error: refusal.message }]
}

async function openWorkflowBridge(
  { inbox, activity, ownRules, approvals, guard, transportOf }: InvokeServices,
  origin: Origin,
  servers: readonly ServerSpec[],
  signal: AbortSignal,
): Promise<Bridge> {
  return openBridge({
    servers,
    signal,
    authority: { kind: 'session' },
    origin,
    answerer: inbox.answererFor(origin.principal),
    journal: activity.journalOf(origin.principal),
    onCallEnd: activity.onCallEnd,
    clientInfo: gatewayInfo,
    guard,
    ...approvals,
    transportOf,
    permissions: await ownRules.effective(origin.principal),
  })
}

/** Stops at the first node that fails, because later nodes may depend on it. */
async function runNodes(
  bridge: Bridge,
  nodes: readonly ToolNode[],
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<readonly NodeResult[]> {
  const results: NodeResult[] = []
  for (const node of nodes) {
    const hasFailed = results.some(({ status }) => status === 'failed')
    results.push(hasFailed ? notRun(node) : await runNode(bridge, node, signal, log))
  }
  return results
}

async function runNode(
  bridge: Bridge,
  { id, tool, arguments: args = {} }: ToolNode,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<NodeResult> {
  try {
    return { id, status: 'ok', result: await bridge.call(tool, args, { signal }) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof UnknownToolError) return unknownTool(id, tool, bridge, log)
    const { code, detail, title } = problemOf(error) ?? loggedBug(error, log)
    return { id, status: 'failed', code, message: detail ?? title }
  }
}

function unknownTool(id: string, tool: string, bridge: Bridge, log: (line: string) => void): NodeResult {
  const available = bridge.tools.map(({ name }) => name).join(', ') || 'none'
  log(`a workflow called the unknown tool "${tool}"; available: ${available}`)
  return {
    id,
    status: 'failed',
    code: 'unknown_tool',
    message: `there is no tool "${tool}"; available: ${available}`,
  }
}

function notRun({ id }: ToolNode): NodeResult {
  return { id, status: 'failed', code: 'not_run', message: 'an earlier node failed' }
}

function failedServers(bridge: Bridge): WorkflowInvokeResponse['failedToolkits'] {
  return bridge
    .status()
    .filter(({ state }) => state !== 'ready')
    .map(({ name, state, error = `the server is ${state}` }) => ({ name, error }))
}

function aboveLimit({ name }: ServerSpec): { readonly name: string; readonly error: string } {
  return { name, error: `a workflow starts at most ${maxServers} servers; remove or disable some` }
}

function toolkitsOf(servers: ClearServers): MCPToolkitMap {
  const enabled = Object.entries(servers).filter(([, { disabled = false }]) => !disabled)
  return Object.fromEntries(enabled.map(([name, entry]) => [name, toolkitOf(entry)]))
}

function toolkitOf(entry: ClearEntry): MCPToolkit {
  if ('url' in entry)
    return { transport: { kind: 'http', spec: { url: entry.url, headers: entry.headers ?? {} } } }
  const { command, args, env = {} } = entry
  return { transport: { kind: 'stdio', spec: { command, args, env } } }
}
