import {
  type CallToolResult,
  McpError,
  McpErrorCode,
  type Progress,
  type RequestOptions,
} from '@toolbridge/client'
import type { BridgeTool } from './catalog/catalog.ts'
import type { Answerer, Origin } from './elicitation/question.ts'
import type { QuestionRouter } from './elicitation/router.ts'
import { DeniedError } from './errors.ts'
import { CallRecord } from './journal/call-record.ts'
import type { Emit } from './journal/emit.ts'
import { linkedSignal } from './linked-signal.ts'
import type { Approvals } from './permission/approval.ts'
import type { Decision } from './permission/decide.ts'
import { InFlight } from './upstream/connection.ts'
import type { Upstream } from './upstream/upstream.ts'

export interface CallOptions {
  /** On whose behalf the call is made; the bridge's own origin unless told. */
  readonly origin?: Origin
  /** Where questions of this call go, before the bridge's default channel. */
  readonly answerer?: Answerer
  /** Aborting cancels the call, which rejects with the signal's own reason. */
  readonly signal?: AbortSignal
  /** How long the server may be silent; progress and a person's time to answer do not count. */
  readonly timeoutMs?: number
  readonly onProgress?: (progress: Progress) => void
}

/** All that is known about calls of one tool before one is made, so that none has to find it out again. */
export interface Route {
  readonly tool: BridgeTool
  readonly upstream: Upstream
  readonly decision: Decision
  /** How long the server may be silent unless the call says. */
  readonly timeoutMs: number
}

/** What the path of a call needs of its bridge. */
export interface CallServices {
  readonly origin: Origin
  readonly approvals: Approvals
  readonly approver: Answerer | undefined
  readonly router: QuestionRouter
  /** Undefined where nobody reads the journal. */
  readonly emit: Emit | undefined
  /** Aborted when the bridge closes. */
  readonly closing: AbortSignal
  find(name: string): Route | undefined
  /** Finds a tool of a server that is still starting, or that nobody has needed yet. */
  awaken(name: string, signal: AbortSignal | undefined): Promise<Route | undefined>
}

type Args = Readonly<Record<string, unknown>>

/**
 * The path of one call: look up the tool, record the call, hold the server it was found on, ask permission, and call over
 * the connection of the caller's origin with the caller's answerer at hand.
 */
export async function callTool(
  services: CallServices,
  name: string,
  args: Args,
  options: CallOptions,
): Promise<CallToolResult> {
  services.closing.throwIfAborted()
  const route = services.find(name) ?? (await services.awaken(name, options.signal))
  if (route === undefined) throw unknownTool(name)
  const { tool, upstream, decision } = route
  const origin = options.origin ?? services.origin
  const record = services.emit && new CallRecord(services.emit, tool, origin)
  upstream.hold()
  try {
    options.signal?.throwIfAborted()
    if (decision.verdict === 'allow') record?.decided('allow', decision.reason)
    else await permit(services, route, args, options, record)
    const result = await callUpstream(route, args, origin, options)
    record?.finished(result.isError === true ? 'tool_error' : 'ok')
    return result
  } catch (error) {
    record?.failed(error, options.signal)
    throw error
  } finally {
    upstream.giveBack()
  }
}

function unknownTool(name: string): McpError {
  const message = `there is no tool "${name}"`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InvalidParams })
}

/** Resolves when the call may be made; rejects with a `DeniedError` otherwise. */
async function permit(
  services: CallServices,
  { tool, decision }: Route,
  args: Args,
  options: CallOptions,
  record: CallRecord | undefined,
): Promise<void> {
  if (decision.verdict === 'deny') {
    record?.decided('deny', decision.reason)
    throw new DeniedError(`${tool.name} may not be called: ${decision.reason}`, { code: 'denied' })
  }
  try {
    await approve(services, tool, args, options)
  } catch (error) {
    record?.decided('deny', error instanceof DeniedError ? error.code : 'cancelled')
    throw error
  }
  record?.decided('allow', 'approved')
}

async function approve(
  { origin: own, approvals, approver, router, closing }: CallServices,
  tool: BridgeTool,
  args: Args,
  { origin = own, answerer, signal }: CallOptions,
): Promise<void> {
  using ended = linkedSignal(signal, closing)
  await approvals.ask({
    tool,
    args,
    origin,
    approver: approver ?? router.answererFor(origin, answerer),
    signal: ended.signal,
  })
}

function callUpstream(
  { tool, upstream, timeoutMs: usual }: Route,
  args: Args,
  origin: Origin,
  { answerer, signal, onProgress, timeoutMs = usual }: CallOptions,
): Promise<CallToolResult> {
  const call = new InFlight(tool.name, answerer, performance.now() + timeoutMs)
  return upstream.call(origin, call, tool.rawName, args, requestOptions(timeoutMs, signal, onProgress))
}

function requestOptions(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  onProgress: CallOptions['onProgress'],
): RequestOptions {
  if (signal === undefined) return onProgress === undefined ? { timeoutMs } : { timeoutMs, onProgress }
  return onProgress === undefined ? { timeoutMs, signal } : { timeoutMs, signal, onProgress }
}
