import type { NodeResult, ToolNode, WorkflowInvokeRequest, WorkflowInvokeResponse } from '@toolbridge/api'
import {
  type Bridge,
  type ExecutionContext,
  getExecutionContext,
  type MCPToolkit,
  type MCPToolkitMap,
  type Origin,
  openBridge,
  type ServerSpec,
  toolkitSpecs,
  withExecutionContext,
} from '@toolbridge/bridge'
import { problemOf } from '../errors/problems.ts'
import { gatewayInfo } from '../gateway-info.ts'
import { loggedBug } from '../middleware/problem.ts'
import type { GatewayServices } from '../services.ts'
import type { ClearEntry, ClearServers } from '../settings/mask-servers.ts'
import { readSaved } from '../settings/saved-servers.ts'
import type { Principal } from '../sign-in/principal.ts'

const maxServers = 16

type InvokeServices = Pick<
  GatewayServices,
  'settings' | 'inbox' | 'activity' | 'permissions' | 'approvals' | 'guard' | 'log'
>

/**
 * Runs the nodes in order with the principal's saved servers, which travel in the execution context: neither a file nor
 * this process's environment has a say. Aborting ends the start and cancels the running call; the servers are stopped in any
 * case.
 */
export async function invokeWorkflow(
  services: InvokeServices,
  principal: Principal,
  request: WorkflowInvokeRequest,
  signal: AbortSignal,
): Promise<WorkflowInvokeResponse> {
  const saved = await readSaved(services.settings, principal.id)
  const toolkits = toolkitsOf(saved?.servers ?? {})
  return withExecutionContext({ principal: { id: principal.id, kind: 'session' }, mcp: { toolkits } }, () =>
    runWorkflow(services, request, signal),
  )
}

async function runWorkflow(
  services: InvokeServices,
  { workflowId, nodes }: WorkflowInvokeRequest,
  signal: AbortSignal,
): Promise<WorkflowInvokeResponse> {
  const { principal, mcp } = enteredContext()
  const origin = { principal: principal.id, conversation: `workflow:${workflowId}` }
  const specs = toolkitSpecs(mcp?.toolkits ?? {})
  await using bridge = await openWorkflowBridge(services, origin, specs.slice(0, maxServers), signal)
  const outcomes = await runNodes(bridge, nodes, signal, services.log)
  const failedToolkits = [...failedServers(bridge), ...specs.slice(maxServers).map(oneTooMany)]
  return { workflowId, nodes: outcomes, failedToolkits }
}

function enteredContext(): ExecutionContext {
  const context = getExecutionContext()
  if (context === undefined) throw new TypeError('a workflow runs inside an execution context')
  return context
}

function openWorkflowBridge(
  { inbox, activity, permissions, approvals, guard }: InvokeServices,
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
    clientInfo: gatewayInfo,
    guard,
    ...approvals,
    ...(permissions === undefined ? {} : { permissions }),
  })
}

/** A node that fails ends the run: those after it may build on what it did not do. */
async function runNodes(
  bridge: Bridge,
  nodes: readonly ToolNode[],
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<readonly NodeResult[]> {
  const outcomes: NodeResult[] = []
  for (const node of nodes) {
    const hasFailed = outcomes.some(({ status }) => status === 'failed')
    outcomes.push(hasFailed ? notRun(node) : await runNode(bridge, node, signal, log))
  }
  return outcomes
}

async function runNode(
  bridge: Bridge,
  { id, tool, arguments: args = {} }: ToolNode,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<NodeResult> {
  if (bridge.tool(tool) === undefined) return unknownTool(id, tool, bridge, log)
  try {
    return { id, status: 'ok', result: await bridge.call(tool, args, { signal }) }
  } catch (error) {
    signal.throwIfAborted()
    const { code, detail, title } = problemOf(error) ?? loggedBug(error, log)
    return { id, status: 'failed', code, message: detail ?? title }
  }
}

function unknownTool(id: string, tool: string, bridge: Bridge, log: (line: string) => void): NodeResult {
  const available = bridge.tools.map(({ name }) => name).join(', ') || 'none'
  log(`a workflow asked for the tool "${tool}"; available: ${available}`)
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

function oneTooMany({ name }: ServerSpec): { readonly name: string; readonly error: string } {
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
