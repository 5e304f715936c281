import { randomUUID } from 'node:crypto'
import { type CallToolResult, McpError, McpErrorCode, type Progress } from '@toolbridge/client'
import type { BridgeTool } from './catalog/catalog.ts'
import type { Answerer, Origin } from './elicitation/question.ts'
import type { QuestionRouter } from './elicitation/router.ts'
import { DeniedError } from './errors.ts'
import type { Emit } from './journal/emit.ts'
import type { CallOutcome } from './journal/events.ts'
import { linkedSignal } from './linked-signal.ts'
import type { Approvals } from './permission/approval.ts'
import { decide } from './permission/decide.ts'
import type { CompiledRules } from './permission/rules.ts'
import { messageOf } from './upstream/state.ts'
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

/** What the path of a call needs of its bridge. */
export interface CallServices {
  readonly origin: Origin
  readonly rules: CompiledRules
  readonly approvals: Approvals
  readonly approver: Answerer | undefined
  readonly router: QuestionRouter
  readonly callTimeoutMs: number
  readonly emit: Emit
  /** Aborted when the bridge closes. */
  readonly closing: AbortSignal
  find(name: string): { readonly tool: BridgeTool; readonly upstream: Upstream } | undefined
}

interface Call {
  readonly id: string
  readonly tool: BridgeTool
  readonly upstream: Upstream
  readonly args: Readonly<Record<string, unknown>>
  readonly origin: Origin
  readonly options: CallOptions
}

/**
 * The path of one call: look up the tool, record the call, hold the server it was found on, ask permission, take the
 * connection of the caller's origin, and call with the caller's answerer at hand.
 */
export async function callTool(
  services: CallServices,
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<CallToolResult> {
  const call = lookUp(services, name, args, options)
  return recorded(services, call, () =>
    call.upstream.hold(async () => {
      options.signal?.throwIfAborted()
      await permit(services, call)
      return callUpstream(services, call)
    }),
  )
}

function lookUp(
  services: CallServices,
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Call {
  services.closing.throwIfAborted()
  const found = services.find(name)
  if (found === undefined) {
    const message = `there is no tool "${name}"`
    throw new McpError(message, { kind: 'unsupported', code: McpErrorCode.InvalidParams })
  }
  return { id: randomUUID(), ...found, args, origin: options.origin ?? services.origin, options }
}

async function recorded(
  { emit }: CallServices,
  { id: callId, tool, origin, options }: Call,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const startedAt = performance.now()
  const commons = { callId, tool: tool.name, server: tool.server, origin }
  const finished = (outcome: CallOutcome, error?: unknown): void => {
    const latencyMs = performance.now() - startedAt
    const why = error === undefined ? {} : { error: errorText(error) }
    emit({ type: 'call.finished', ...commons, latencyMs, outcome, ...why })
  }
  emit({ type: 'call.started', ...commons })
  try {
    const result = await work()
    finished(result.isError === true ? 'tool_error' : 'ok')
    return result
  } catch (error) {
    finished(failureOf(error, options.signal), error)
    throw error
  }
}

function failureOf(error: unknown, signal: AbortSignal | undefined): CallOutcome {
  if (error instanceof DeniedError) return 'denied'
  return signal?.aborted === true && error === signal.reason ? 'cancelled' : 'failed'
}

function errorText(error: unknown): string {
  if (error instanceof DeniedError) return `${error.code}: ${error.message}`
  return error instanceof McpError ? `${error.kind} ${error.code}: ${error.message}` : messageOf(error)
}

/** Resolves when the call may be made; rejects with a `DeniedError` otherwise. */
async function permit(services: CallServices, call: Call): Promise<void> {
  const { verdict, reason } = decide(call.tool, services.rules)
  const decided = (final: 'allow' | 'deny', why: string): void => {
    services.emit({
      type: 'permission.decided',
      callId: call.id,
      tool: call.tool.name,
      verdict: final,
      reason: why,
    })
  }
  if (verdict === 'allow') return decided('allow', reason)
  if (verdict === 'deny') {
    decided('deny', reason)
    throw new DeniedError(`${call.tool.name} may not be called: ${reason}`, { code: 'denied' })
  }
  try {
    await approve(services, call)
  } catch (error) {
    decided('deny', error instanceof DeniedError ? error.code : 'cancelled')
    throw error
  }
  decided('allow', 'approved')
}

async function approve({ approvals, approver, router, closing }: CallServices, call: Call): Promise<void> {
  const { tool, args, origin, options } = call
  using ended = linkedSignal(options.signal, closing)
  await approvals.ask({
    tool,
    args,
    origin,
    approver: approver ?? router.answererFor(origin, options.answerer),
    signal: ended.signal,
  })
}

function callUpstream(services: CallServices, call: Call): Promise<CallToolResult> {
  const { tool, upstream, args, origin, options } = call
  const { signal, answerer, timeoutMs = services.callTimeoutMs, onProgress } = options
  return upstream.use(origin, signal, (connection) =>
    connection.call({
      rawName: tool.rawName,
      tool: tool.name,
      args,
      answerer,
      signal,
      timeoutMs,
      onProgress,
    }),
  )
}
