import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import type { CallToolResult } from '../model/tool.ts'
import { CoarseClock } from '../timing/coarse-clock.ts'
import { sendToolCall, type ToolCallSender } from './send-tool-call.ts'
import type { RequestOptions, TraceContext } from '../jsonrpc/transport.ts'

/** A connection is open and its tools are listed. */
export interface McpConnectEvent {
  /** The host's name for the server. */
  readonly server: string
  /** The transport in use. */
  readonly transport: 'stdio' | 'http' | 'websocket'
  /** The server's name for itself. Untrusted text. */
  readonly serverName: string
  /** The server's version. Untrusted text. */
  readonly serverVersion: string
  /** Number of tools listed. */
  readonly toolCount: number
}

/** A tool returned a result. */
export interface McpToolCallEvent {
  /** The host's name for the server. */
  readonly server: string
  /** The raw name of the tool. */
  readonly tool: string
  /** Time from the call to its result, in milliseconds. */
  readonly latencyMs: number
  /** Whether the tool reported a failure. */
  readonly isError: boolean
  /** The caller's trace context. */
  readonly trace?: TraceContext
}

/** The phase that failed: connecting, a tool call, the server's notification stream, or a keep-alive ping. */
export type McpErrorPhase = 'connect' | 'request' | 'listen' | 'ping'

/** Something failed. */
export interface McpErrorEvent {
  /** The host's name for the server. */
  readonly server: string
  /** The phase that failed. */
  readonly phase: McpErrorPhase
  /** The reason. */
  readonly error: unknown
  /** The caller's trace context. */
  readonly trace?: TraceContext
}

/**
 * Observers, called synchronously. A hook that throws or rejects causes a warning and nothing else. `connectMcp` reports
 * connecting; the client reports everything after.
 */
export interface McpHooks {
  /** Called when a connection is open and its tools are listed. */
  readonly onMcpConnect?: (event: McpConnectEvent) => void
  /** Called after each tool call that returned a result. */
  readonly onMcpToolCall?: (event: McpToolCallEvent) => void
  /** Called after each failure. */
  readonly onMcpError?: (event: McpErrorEvent) => void
}

interface ToolCall {
  readonly tool: string
  readonly options: RequestOptions | undefined
  readonly startedAt: number
}

/** Calls the hooks of one connection. */
export class HookReporter {
  readonly #hooks: McpHooks
  readonly #clock = new CoarseClock()
  readonly #server: string
  readonly #warn: ((warning: McpError) => void) | undefined

  constructor(hooks: McpHooks, server: string, warn: ((warning: McpError) => void) | undefined) {
    this.#hooks = hooks
    this.#server = server
    this.#warn = warn
  }

  /** Calls a tool and reports its end. One promise for both: a second one would make each call measurably slower. */
  callTool(
    client: ToolCallSender,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: RequestOptions | undefined,
  ): Promise<CallToolResult> {
    const call: ToolCall = { tool, options, startedAt: this.#clock.now() }
    return new Promise((resolve, reject) => {
      client[sendToolCall](
        tool,
        args,
        options,
        (result) => {
          this.#called(call, result)
          resolve(result)
        },
        (error) => {
          this.failed('request', error, options?.trace)
          reject(error)
        },
      )
    })
  }

  connected(event: Omit<McpConnectEvent, 'server'>): void {
    this.#tell('onMcpConnect', () => this.#hooks.onMcpConnect?.({ server: this.#server, ...event }))
  }

  failed(phase: McpErrorPhase, error: unknown, trace?: TraceContext): void {
    const event = { server: this.#server, phase, error, ...(trace === undefined ? {} : { trace }) }
    this.#tell('onMcpError', () => this.#hooks.onMcpError?.(event))
  }

  #called({ tool, options, startedAt }: ToolCall, result: CallToolResult): void {
    const latencyMs = this.#clock.now() - startedAt
    const event = { server: this.#server, tool, latencyMs, isError: result.isError === true }
    const trace = options?.trace
    try {
      this.#follow(
        'onMcpToolCall',
        this.#hooks.onMcpToolCall?.(trace === undefined ? event : { ...event, trace }),
      )
    } catch (cause) {
      this.#failed('onMcpToolCall', cause)
    }
  }

  #tell(hook: string, tell: () => unknown): void {
    try {
      this.#follow(hook, tell())
    } catch (cause) {
      this.#failed(hook, cause)
    }
  }

  /** An async hook may reject after it returned. */
  #follow(hook: string, pending: unknown): void {
    if (pending instanceof Promise) pending.catch((cause: unknown) => this.#failed(hook, cause))
  }

  #failed(hook: string, cause: unknown): void {
    const message = `the hook ${hook} failed`
    this.#warn?.(new McpError(message, { kind: 'unsupported', code: McpErrorCode.InternalError, cause }))
  }
}
