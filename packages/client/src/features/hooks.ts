import { McpError, McpErrorCode } from '../jsonrpc.ts'
import type { CallToolResult } from '../model/tool.ts'
import { Moments } from '../moments.ts'
import { awaitStartedTask } from '../tasks.ts'
import type { RequestOptions, TraceContext } from '../transport.ts'
import type { Requester } from './requester.ts'
import { isTaskStart } from './tools.ts'

/** A connection is open and its tools are listed. */
export interface McpConnectEvent {
  /** The host's own name for the server. */
  readonly server: string
  readonly transport: 'stdio' | 'http' | 'websocket'
  readonly serverName: string
  readonly serverVersion: string
  readonly toolCount: number
}

/** A tool answered. */
export interface McpToolCallEvent {
  readonly server: string
  readonly tool: string
  readonly latencyMs: number
  readonly isError: boolean
  readonly trace?: TraceContext
}

/**
 * What failed: opening the connection, one call, the channel on which the server speaks on its own, or the ping that
 * keeps the connection alive.
 */
export type McpErrorPhase = 'connect' | 'request' | 'listen' | 'ping'

export interface McpErrorEvent {
  readonly server: string
  readonly phase: McpErrorPhase
  readonly error: unknown
  readonly trace?: TraceContext
}

/**
 * Told synchronously of what happens; a hook that fails, at once or later, is reported as a warning and changes nothing.
 * `connectMcp` tells of connecting, the client of everything after.
 */
export interface McpHooks {
  readonly onMcpConnect?: (event: McpConnectEvent) => void
  readonly onMcpToolCall?: (event: McpToolCallEvent) => void
  readonly onMcpError?: (event: McpErrorEvent) => void
}

/** Tells the hooks of one server's connection. */
export class HookReporter {
  readonly #hooks: McpHooks
  readonly #moments = new Moments()
  readonly #server: string
  readonly #warn: ((warning: McpError) => void) | undefined

  constructor(hooks: McpHooks, server: string, warn: ((warning: McpError) => void) | undefined) {
    this.#hooks = hooks
    this.#server = server
    this.#warn = warn
  }

  /** Calls a tool and tells of the end. Not around a client's own call: one more promise costs more than this. */
  callTool(
    requester: Requester,
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: RequestOptions | undefined,
  ): Promise<CallToolResult> {
    const startedAt = this.#moments.now()
    const trace = options?.trace
    return requester.request('tools/call', { name, arguments: args }, options).then(
      (answer) => {
        if (isTaskStart(answer))
          return this.#followed(awaitStartedTask(requester, answer, options), name, startedAt, trace)
        return this.#called(this.#read(requester, answer, trace), name, startedAt, trace)
      },
      (error: unknown) => this.#refused(error, trace),
    )
  }

  connected(event: Omit<McpConnectEvent, 'server'>): void {
    this.#tell('onMcpConnect', () => this.#hooks.onMcpConnect?.({ server: this.#server, ...event }))
  }

  failed(phase: McpErrorPhase, error: unknown, trace?: TraceContext): void {
    const event = { server: this.#server, phase, error, ...(trace === undefined ? {} : { trace }) }
    this.#tell('onMcpError', () => this.#hooks.onMcpError?.(event))
  }

  #read(requester: Requester, answer: unknown, trace: TraceContext | undefined): CallToolResult {
    try {
      return requester.readToolResult(answer)
    } catch (error) {
      return this.#refused(error, trace)
    }
  }

  async #followed(
    task: Promise<CallToolResult>,
    name: string,
    startedAt: number,
    trace: TraceContext | undefined,
  ): Promise<CallToolResult> {
    const result = await task.catch((error: unknown) => this.#refused(error, trace))
    return this.#called(result, name, startedAt, trace)
  }

  #called(
    result: CallToolResult,
    tool: string,
    startedAt: number,
    trace: TraceContext | undefined,
  ): CallToolResult {
    const latencyMs = this.#moments.now() - startedAt
    const event = { server: this.#server, tool, latencyMs, isError: result.isError === true }
    try {
      this.#follow(
        'onMcpToolCall',
        this.#hooks.onMcpToolCall?.(trace === undefined ? event : { ...event, trace }),
      )
    } catch (cause) {
      this.#failed('onMcpToolCall', cause)
    }
    return result
  }

  #refused(error: unknown, trace: TraceContext | undefined): never {
    this.failed('request', error, trace)
    throw error
  }

  #tell(hook: string, tell: () => unknown): void {
    try {
      this.#follow(hook, tell())
    } catch (cause) {
      this.#failed(hook, cause)
    }
  }

  /** A hook that goes on after it has returned may fail when nobody waits for it any more. */
  #follow(hook: string, pending: unknown): void {
    if (pending instanceof Promise) pending.catch((cause: unknown) => this.#failed(hook, cause))
  }

  #failed(hook: string, cause: unknown): void {
    const message = `the hook ${hook} failed`
    this.#warn?.(new McpError(message, { kind: 'unsupported', code: McpErrorCode.InternalError, cause }))
  }
}
