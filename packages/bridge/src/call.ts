import {
  type CallToolResult,
  McpError,
  McpErrorCode,
  McpUnauthorizedError,
  type Progress,
  type RequestOptions,
  type TraceContext,
} from '@toolbridge/client'
import { type CoarseClock, isTooDeep, linkedSignal, MAX_DEPTH } from '@toolbridge/client/internal'
import { createEnding, type Ending } from './async/ending.ts'
import type { BridgeTool } from './catalog/bridge-tool.ts'
import type { SignIns } from './credentials/sign-ins.ts'
import type { Answerer } from './elicitation/question.ts'
import type { EndedCall } from './ended-call.ts'
import type { Origin } from './origin.ts'
import type { QuestionRouter } from './elicitation/router.ts'
import { DeniedError } from './errors.ts'
import type { CallJournal, JournaledCall } from './journal/events/call-journal.ts'
import type { CallPermission, Permissions } from './permission/permissions.ts'
import type { Decision } from './permission/rules/decide.ts'
import type { ToolPermission } from './permission/tool-permission.ts'
import type { ResultStep } from './results/results.ts'
import type { UpstreamCall } from './upstream/connections/calls-in-flight.ts'
import type { Upstream } from './upstream/upstream.ts'

/** Options of one tool call. */
export interface CallOptions {
  /** Caller on whose behalf the call is made. Default: the bridge's own origin. */
  readonly origin?: Origin
  /** Channel for the questions of this call. Default: the bridge's answerer. */
  readonly answerer?: Answerer
  /** Aborting cancels the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /**
   * Timeout without an answer, in milliseconds. Progress restarts it; it does not run while a person answers a question.
   * Default: the server definition's `timeouts.callMs`, else `callTimeoutMs` of the bridge.
   */
  readonly timeoutMs?: number
  /** Called with each progress notification of the server. */
  readonly onProgress?: (progress: Progress) => void
  /** Trace context sent to the server. The context of the bridge's telemetry, if any, takes precedence. */
  readonly trace?: TraceContext
  /**
   * Whether a person has approved this call with these arguments, for instance in a dialog of the application. Answers a
   * rule or mode that asks; a rule that denies still denies, and a changed tool or a control file is still asked about.
   * Default: false.
   */
  readonly approved?: boolean
  /** Id of what makes the call, such as a run of code, for the journal. Default: none. */
  readonly parent?: string
  /** Called once, when the tool is found and before the call is sent. Not called for an unknown tool. */
  readonly onStart?: (call: BegunCall) => void
}

/** A call that has begun. */
export interface BegunCall {
  /** Id of the call in the journal. Empty without a journal. */
  readonly id: string
  /** Public name of the tool. */
  readonly tool: string
  /** Name of the server. */
  readonly server: string
}

/** Everything that is known about calls of one tool before one is made. */
export interface ToolTarget {
  readonly tool: BridgeTool
  readonly upstream: Upstream
  readonly permission: ToolPermission
  /** Timeout of calls that set none. */
  readonly timeoutMs: number
  /** Request options of calls that set none. */
  readonly request: RequestOptions
  /** Processing of results; undefined when results are returned unchanged. */
  readonly results: ResultStep | undefined
}

/** Dependencies of a call. */
export interface CallServices {
  readonly origin: Origin
  readonly permissions: Permissions
  readonly approver: Answerer | undefined
  readonly router: QuestionRouter
  readonly signIns: SignIns
  readonly coarseClock: CoarseClock
  readonly journal: CallJournal | undefined
  /** Observes the arguments and results of calls. */
  readonly onCallEnd: ((call: EndedCall) => void) | undefined
  /** Removes secrets from a text. */
  readonly redactText: (text: string) => string
  /** Trace context that telemetry assigned to a call. */
  readonly traceOf: ((callId: string) => TraceContext | undefined) | undefined
  /** Aborted when the bridge closes. */
  readonly closing: AbortSignal
  /** Removes the secrets of all definitions from an error. */
  readonly redact: (error: unknown) => unknown
  find(name: string): ToolTarget | undefined
  /** Servers that are stopped before their replacement starts. */
  readonly gaps: { readonly size: number; has(server: string): boolean }
  /** Resolves when a server has been replaced. Rejects when that takes too long. */
  replaced(server: string, signal: AbortSignal | undefined): Promise<void>
  /** Waits for a tool of a server that is starting, or that starts on first use. */
  isFoundOnceStarted(name: string, signal: AbortSignal | undefined): Promise<boolean>
  /** The error of a call of a tool that is not in the catalog. */
  missing(name: string): Error
}

export type Arguments = Readonly<Record<string, unknown>>

/**
 * Calls a tool by its public name. The steps are the methods of `ToolCall`, from top to bottom: decide, ask for permission,
 * send over the connection of the caller's origin, sign in and send again if the server wants that, process the result,
 * write the journal.
 */
export function callTool(
  services: CallServices,
  name: string,
  args: Arguments,
  options: CallOptions,
): Promise<CallToolResult> {
  const { closing } = services
  if (closing.aborted) return Promise.reject(closing.reason)
  if (isTooDeep(args)) return Promise.reject(tooDeep(name))
  const target = services.find(name)
  if (target === undefined) return callOnceStarted(services, name, args, options)
  if (services.gaps.size > 0 && services.gaps.has(target.tool.server))
    return callOnceReplaced(services, target, args, options)
  return new ToolCall(services, target, args, options).start()
}

/** What rules and kept approvals say about a call; undefined if there is no such tool. */
export async function permissionFor(
  services: CallServices,
  name: string,
  args: Arguments,
  { origin = services.origin }: Pick<CallOptions, 'origin'>,
): Promise<CallPermission | undefined> {
  const target = services.find(name)
  if (target === undefined) return undefined
  if (isTooDeep(args)) return { verdict: 'deny', reason: 'the arguments are nested too deep' }
  return services.permissions.preview(target.permission, args, origin)
}

function tooDeep(tool: string): McpError {
  const message = `the arguments of ${tool} are nested deeper than ${MAX_DEPTH} levels; the call was not made`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InvalidParams })
}

async function callOnceStarted(
  services: CallServices,
  name: string,
  args: Arguments,
  options: CallOptions,
): Promise<CallToolResult> {
  const isFound = await services.isFoundOnceStarted(name, options.signal)
  if (!isFound) throw services.missing(name)
  return callTool(services, name, args, options)
}

/** Finds the tool again: the new definition may not have it, or not allow it. */
async function callOnceReplaced(
  services: CallServices,
  { tool }: ToolTarget,
  args: Arguments,
  options: CallOptions,
): Promise<CallToolResult> {
  await services.replaced(tool.server, options.signal)
  return callTool(services, tool.name, args, options)
}

/**
 * One call, from start to end. A plain class with few fields and one promise: each further object or promise per call is
 * measurable (`npm run bench`).
 */
class ToolCall implements UpstreamCall, JournaledCall {
  readonly services: CallServices
  readonly target: ToolTarget
  args: Arguments
  readonly options: CallOptions
  readonly origin: Origin
  readonly answerer: Answerer | undefined
  trace: TraceContext | undefined
  readonly timeoutMs: number
  readonly startedAt: number
  id = ''
  order = 0
  position = -1
  isAnswered = false
  private hasSignedIn = false
  private hasEnded = false
  /** Made when a question of the server waits for the end of the call. */
  private ending: Ending | undefined = undefined
  private resolve: (result: CallToolResult) => void = nothing
  private reject: (reason: unknown) => void = nothing

  constructor(services: CallServices, target: ToolTarget, args: Arguments, options: CallOptions) {
    const { origin = services.origin, timeoutMs = target.timeoutMs, answerer, trace } = options
    this.services = services
    this.target = target
    this.args = args
    this.options = options
    this.origin = origin
    this.answerer = answerer
    this.trace = trace
    this.timeoutMs = timeoutMs
    this.startedAt = services.coarseClock.now()
  }

  /** Makes the call. To be called once. */
  start(): Promise<CallToolResult> {
    const { services, target, args, options } = this
    const { journal, traceOf } = services
    const { principal } = this.origin
    const { permission } = target
    const isLong = permission.decide.isLong(args)
    const decision = isLong ? undefined : permission.decide(args, principal)
    const isAllowed = decision?.verdict === 'allow' && permission.isSettled(args, principal)
    target.upstream.retain()
    journal?.started(this, isAllowed || decision?.verdict === 'deny' ? decision : undefined)
    if (traceOf !== undefined) this.trace = traceOf(this.id) ?? this.trace
    options.onStart?.(this)
    return new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
      if (isAllowed && options.signal?.aborted !== true) target.upstream.send(this)
      else void this.sendOncePermitted(decision)
    })
  }

  /** Copies the arguments first: what was permitted is what is sent, even if the caller changes them meanwhile. */
  private async sendOncePermitted(decision: Decision | undefined): Promise<void> {
    try {
      this.options.signal?.throwIfAborted()
      this.args = JSON.parse(JSON.stringify(this.args)) as Arguments
      await this.permit(decision)
    } catch (error) {
      return this.fail(error)
    }
    this.target.upstream.send(this)
  }

  /** Resolves when the call may be made; rejects with a `DeniedError` otherwise. */
  private async permit(first: Decision | undefined): Promise<void> {
    const { services, target, args, origin, answerer } = this
    const { permissions, approver, router, closing, journal } = services
    const { signal: stop, approved: isApproved = false } = this.options
    using ended = linkedSignal(stop, closing)
    const { signal } = ended
    const approverOfCall = approver ?? router.answererFor(origin, answerer)
    const request = { args, origin, approver: approverOfCall, signal, isApproved, callId: this.id }
    let decision = first
    try {
      decision ??= await target.permission.decide.inTurns(args, origin.principal, signal)
      const reason = await permissions.permit(target.permission, request, decision)
      journal?.decided(this, 'allow', reason)
    } catch (error) {
      if (decision?.verdict !== 'deny')
        journal?.decided(this, 'deny', error instanceof DeniedError ? error.code : 'cancelled')
      else if (first === undefined) journal?.decided(this, 'deny', decision.reason)
      throw error
    }
  }

  succeeded(answer: CallToolResult): void {
    const { tool, results } = this.target
    let result = answer
    try {
      if (results !== undefined) result = results.finished(answer, tool, this.origin)
    } catch (error) {
      return this.fail(error)
    }
    if (this.services.onCallEnd !== undefined) this.observe(result)
    this.services.journal?.finished(this, result.isError === true ? 'tool_error' : 'ok')
    this.end()
    this.resolve(result)
  }

  failed(error: unknown): void {
    if (error instanceof McpUnauthorizedError && !this.hasSignedIn) void this.sendOnceSignedIn(error)
    else this.fail(error)
  }

  /** Sends the call once more if its person signs in; else it fails as it did. */
  private async sendOnceSignedIn(refusal: McpUnauthorizedError): Promise<void> {
    const { services, target, origin, options } = this
    try {
      const account = target.upstream.accountOf(origin)
      this.hasSignedIn = await services.signIns.signIn(refusal, this, account, options.signal)
    } catch (error) {
      return this.fail(services.redact(error))
    }
    if (this.hasSignedIn) target.upstream.send(this)
    else this.fail(refusal)
  }

  private observe(result?: CallToolResult): void {
    const { onCallEnd, redactText: redact } = this.services
    const ended = { callId: this.id, arguments: this.args, redact }
    onCallEnd?.(result === undefined ? ended : { ...ended, result })
  }

  private fail(error: unknown): void {
    if (this.services.onCallEnd !== undefined) this.observe()
    this.services.journal?.failed(this, error, this.options.signal)
    this.end()
    const failure = this.target.results?.failure(error)
    if (failure === undefined) this.reject(error)
    else this.resolve(failure)
  }

  private end(): void {
    this.hasEnded = true
    this.ending?.resolve()
    this.target.upstream.release()
  }

  get tool(): string {
    return this.target.tool.name
  }

  get server(): string {
    return this.target.tool.server
  }

  get signal(): AbortSignal | undefined {
    return this.options.signal
  }

  get parent(): string | undefined {
    return this.options.parent
  }

  get rawName(): string {
    return this.target.tool.rawName
  }

  /** Resolves when the call has ended. Most calls lead to no question, so nobody waits for it. */
  get over(): Promise<void> {
    if (this.hasEnded) return Promise.resolve()
    this.ending ??= createEnding()
    return this.ending.promise
  }

  get requestOptions(): RequestOptions {
    const { timeoutMs, trace, target, options } = this
    const { signal, onProgress } = options
    if (trace === undefined && onProgress === undefined) {
      if (signal !== undefined) return { timeoutMs, signal }
      return timeoutMs === target.timeoutMs ? target.request : { timeoutMs }
    }
    return {
      timeoutMs,
      ...(trace === undefined ? {} : { trace }),
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    }
  }
}

function nothing(): void {}
