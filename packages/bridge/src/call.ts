import {
  type CallToolResult,
  McpError,
  McpErrorCode,
  type CoarseClock,
  type Progress,
  type RequestOptions,
  type TraceContext,
} from '@toolbridge/client'
import type { BridgeTool } from './catalog/catalog.ts'
import type { SignIns } from './credentials/sign-ins.ts'
import type { Answerer } from './elicitation/question.ts'
import type { Origin } from './origin.ts'
import type { QuestionRouter } from './elicitation/router.ts'
import { DeniedError } from './errors.ts'
import type { CallJournal } from './journal/events/call-journal.ts'
import { linkedSignal } from './async/linked-signal.ts'
import type { Permissions } from './permission/permissions.ts'
import type { ToolPermission } from './permission/tool-permission.ts'
import type { ResultStep } from './results/results.ts'
import { ToolCall } from './tool-call.ts'
import type { Settle } from './upstream/connections/connection.ts'
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
export interface ToolTarget {
  readonly tool: BridgeTool
  readonly upstream: Upstream
  readonly permission: ToolPermission
  /** How long the server may be silent unless the call says. */
  readonly timeoutMs: number
  /** What a call is sent with that says nothing else. */
  readonly request: RequestOptions
  /** What is done with results; undefined when they pass as they are. */
  readonly results: ResultStep | undefined
}

/** What the path of a call needs of its bridge. */
export interface CallServices {
  readonly origin: Origin
  readonly gate: Permissions
  readonly approver: Answerer | undefined
  readonly router: QuestionRouter
  readonly signIns: SignIns
  readonly moments: CoarseClock
  readonly journal: CallJournal | undefined
  /** What telemetry says that a call belongs to, which the journal was told of. */
  readonly traceOf: ((callId: string) => TraceContext | undefined) | undefined
  /** Aborted when the bridge closes. */
  readonly closing: AbortSignal
  find(name: string): ToolTarget | undefined
  /** Finds a tool of a server that is still starting, or that nobody has needed yet. */
  awaken(name: string, signal: AbortSignal | undefined): Promise<ToolTarget | undefined>
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * The path of one call: look up the tool, hold the server it was found on, record the call, ask permission, and call over
 * the connection of the caller's origin with the caller's answerer at hand. The usual call makes one promise: each
 * further one, and each function that waits, shows in its price.
 */
export function callTool(
  services: CallServices,
  name: string,
  args: Arguments,
  options: CallOptions,
): Promise<CallToolResult> {
  const { closing } = services
  if (closing.aborted) return Promise.reject(closing.reason)
  try {
    const route = services.find(name)
    return route === undefined
      ? callOnceFound(services, name, args, options)
      : begin(services, route, args, options)
  } catch (error) {
    return Promise.reject(error)
  }
}

async function callOnceFound(
  services: CallServices,
  name: string,
  args: Arguments,
  options: CallOptions,
): Promise<CallToolResult> {
  const route = await services.awaken(name, options.signal)
  if (route === undefined) throw unknownTool(name)
  return begin(services, route, args, options)
}

function begin(
  services: CallServices,
  route: ToolTarget,
  args: Arguments,
  options: CallOptions,
): Promise<CallToolResult> {
  const { journal, traceOf } = services
  const call = new ToolCall(services, route, args, options)
  const decision = route.permission.decide(args, call.origin.principal)
  route.upstream.expect()
  journal?.started(call, decision)
  if (traceOf !== undefined) call.trace = traceOf(call.id) ?? call.trace
  const isFree = decision.verdict === 'allow' && options.signal?.aborted !== true
  return new Promise((resolve, reject) => {
    const settle: Settle = {
      resolve: (answer) => {
        try {
          resolve(finish(call, answer))
        } catch (error) {
          reject(error)
        }
      },
      reject: (thrown) => resolve(recover(call, thrown)),
    }
    if (isFree) make(call, settle)
    else void makeOncePermitted(call, settle)
  })
}

function make(call: ToolCall, settle: Settle): void {
  try {
    call.route.upstream.call(call, call.args, requestOptions(call), settle)
  } catch (error) {
    settle.reject(error)
  }
}

/** What is permitted is what is sent, whatever the caller makes of its arguments while somebody decides. */
async function makeOncePermitted(call: ToolCall, settle: Settle): Promise<void> {
  try {
    call.options.signal?.throwIfAborted()
    call.args = JSON.parse(JSON.stringify(call.args)) as Arguments
    await permit(call)
  } catch (error) {
    return settle.reject(error)
  }
  make(call, settle)
}

function finish(call: ToolCall, answer: unknown): CallToolResult | Promise<CallToolResult> {
  if (answer instanceof Promise)
    return answer.then(
      (late) => finish(call, late),
      (thrown: unknown) => recover(call, thrown),
    )
  try {
    const read = call.read(answer)
    return read instanceof Promise ? concludeOnceDone(call, read) : conclude(call, read)
  } catch (error) {
    return fail(call, error)
  }
}

async function concludeOnceDone(call: ToolCall, task: Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return conclude(call, await task)
  } catch (error) {
    return fail(call, error)
  }
}

function conclude(call: ToolCall, answer: CallToolResult): CallToolResult {
  const { services, route } = call
  const { upstream, results, tool } = route
  upstream.answered(call)
  const result = results === undefined ? answer : results.finished(answer, tool, call.origin)
  services.journal?.finished(call, result.isError === true ? 'tool_error' : 'ok')
  upstream.over(call)
  return result
}

async function recover(call: ToolCall, thrown: unknown): Promise<CallToolResult> {
  let answer: unknown
  try {
    answer = await makeAgain(call, thrown)
  } catch (error) {
    return fail(call, error)
  }
  return finish(call, answer)
}

/** Makes a call once more that was refused for want of a sign-in, if its person signs in; else rejects as it was. */
async function makeAgain(call: ToolCall, thrown: unknown): Promise<unknown> {
  const { services, route, origin, options } = call
  const account = route.upstream.accountOf(origin)
  if (!(await services.signIns.isOver(thrown, call, account, options.signal))) throw thrown
  route.upstream.takeBack(call)
  return new Promise((resolve, reject) => make(call, { resolve, reject }))
}

function fail(call: ToolCall, thrown: unknown): CallToolResult {
  const { services, route, options } = call
  const { upstream, results } = route
  try {
    const error = upstream.failed(call, thrown, options.signal)
    services.journal?.failed(call, error, options.signal)
    const failure = results?.failure(error)
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
async function permit(call: ToolCall): Promise<void> {
  const { services, route, args, options } = call
  const { gate, approver, router, closing, journal } = services
  const { origin, answerer } = call
  using ended = linkedSignal(options.signal, closing)
  const wish = {
    args,
    origin,
    approver: approver ?? router.answererFor(origin, answerer),
    signal: ended.signal,
  }
  try {
    const reason = await gate.permit(route.permission, wish)
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

function requestOptions({ timeoutMs, trace, route, options }: ToolCall): RequestOptions {
  const { signal, onProgress } = options
  if (trace !== undefined)
    return {
      timeoutMs,
      trace,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    }
  if (signal !== undefined)
    return onProgress === undefined ? { timeoutMs, signal } : { timeoutMs, signal, onProgress }
  if (onProgress !== undefined) return { timeoutMs, onProgress }
  return timeoutMs === route.request.timeoutMs ? route.request : { timeoutMs }
}
