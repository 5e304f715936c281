import {
  type CallToolResult,
  McpError,
  McpErrorCode,
  type Progress,
  type RequestOptions,
  type TraceContext,
} from '@toolbridge/client'
import type { BridgeTool } from './catalog/catalog.ts'
import type { SignIns } from './credentials/sign-ins.ts'
import type { Answerer, Origin } from './elicitation/question.ts'
import type { QuestionRouter } from './elicitation/router.ts'
import { DeniedError } from './errors.ts'
import type { CallJournal } from './journal/call-journal.ts'
import { linkedSignal } from './linked-signal.ts'
import type { Gate } from './permission/gate.ts'
import type { ToolPermission } from './permission/tool-permission.ts'
import type { ResultStep } from './results/results.ts'
import { InFlight } from './upstream/in-flight.ts'
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
  /** What the call belongs to: its trace context is sent to the server, unless telemetry knows better. */
  readonly trace?: TraceContext
}

/** All that is known about calls of one tool before one is made, so that none has to find it out again. */
export interface Route {
  readonly tool: BridgeTool
  readonly upstream: Upstream
  readonly permission: ToolPermission
  /** How long the server may be silent unless the call says. */
  readonly timeoutMs: number
  /** What is done with results; undefined when they pass as they are. */
  readonly results: ResultStep | undefined
}

/** What the path of a call needs of its bridge. */
export interface CallServices {
  readonly origin: Origin
  readonly gate: Gate
  readonly approver: Answerer | undefined
  readonly router: QuestionRouter
  readonly signIns: SignIns
  readonly journal: CallJournal | undefined
  /** What telemetry says that a call belongs to, which the journal was told of. */
  readonly traceOf: ((callId: string) => TraceContext | undefined) | undefined
  /** Aborted when the bridge closes. */
  readonly closing: AbortSignal
  find(name: string): Route | undefined
  /** Finds a tool of a server that is still starting, or that nobody has needed yet. */
  awaken(name: string, signal: AbortSignal | undefined): Promise<Route | undefined>
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * The path of one call: look up the tool, hold the server it was found on, record the call, ask permission, and call over
 * the connection of the caller's origin with the caller's answerer at hand. One function and not several, since each
 * further promise shows in the price of a call.
 */
export async function callTool(
  services: CallServices,
  name: string,
  args: Arguments,
  options: CallOptions,
): Promise<CallToolResult> {
  services.closing.throwIfAborted()
  const route = services.find(name) ?? (await services.awaken(name, options.signal))
  if (route === undefined) throw unknownTool(name)
  const { tool, upstream, permission } = route
  const { origin = services.origin, signal, timeoutMs = route.timeoutMs } = options
  const { journal } = services
  const call = new InFlight(tool, origin, options, timeoutMs)
  const decision = permission.decide(args, origin.principal)
  upstream.expect()
  journal?.started(call, decision)
  if (services.traceOf !== undefined) call.trace = services.traceOf(call.id) ?? call.trace
  try {
    signal?.throwIfAborted()
    if (decision.verdict !== 'allow') await permit(services, permission, call, args, signal)
    const request = requestOptions(call, options)
    let answer: CallToolResult
    try {
      answer = await upstream.call(call, tool.rawName, args, request)
    } catch (thrown) {
      if (!(await services.signIns.isOver(thrown, call, upstream.accountOf(origin), signal))) throw thrown
      upstream.takeBack(call)
      answer = await upstream.call(call, tool.rawName, args, request)
    }
    upstream.answered(call)
    const result = route.results === undefined ? answer : route.results.finished(answer, tool, origin)
    journal?.finished(call, result.isError === true ? 'tool_error' : 'ok')
    return result
  } catch (thrown) {
    const error = upstream.failed(call, thrown, signal)
    journal?.failed(call, error, signal)
    const failure = route.results?.failure(error)
    if (failure !== undefined) return failure
    throw error
  } finally {
    upstream.over(call)
  }
}

function unknownTool(name: string): McpError {
  const message = `there is no tool "${name}"`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InvalidParams })
}

/** Resolves when the call may be made; rejects with a `DeniedError` otherwise. */
async function permit(
  services: CallServices,
  permission: ToolPermission,
  call: InFlight,
  args: Arguments,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { gate, approver, router, closing, journal } = services
  const { origin, answerer } = call
  using ended = linkedSignal(signal, closing)
  const wish = {
    args,
    origin,
    approver: approver ?? router.answererFor(origin, answerer),
    signal: ended.signal,
  }
  try {
    const reason = await gate.permit(permission, wish)
    journal?.decided(call, 'allow', reason)
  } catch (error) {
    if (!isDenial(error))
      journal?.decided(call, 'deny', error instanceof DeniedError ? error.code : 'cancelled')
    throw error
  }
}

/** What a rule denies was in the journal before anybody could be asked. */
function isDenial(error: unknown): boolean {
  return error instanceof DeniedError && error.code === 'denied'
}

function requestOptions({ timeoutMs, trace }: InFlight, { signal, onProgress }: CallOptions): RequestOptions {
  if (trace !== undefined)
    return {
      timeoutMs,
      trace,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    }
  if (signal === undefined) return onProgress === undefined ? { timeoutMs } : { timeoutMs, onProgress }
  return onProgress === undefined ? { timeoutMs, signal } : { timeoutMs, signal, onProgress }
}
