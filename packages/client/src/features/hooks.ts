import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import type { CallToolResult } from '../model/tool.ts'
import { CoarseClock } from '../timing/coarse-clock.ts'
import { sendToolCall, type ToolCallSender } from './send-tool-call.ts'
import type { RequestOptions, TraceContext } from '../jsonrpc/transport.ts'

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

interface ToolCall {
  readonly tool: string
  readonly options: RequestOptions | undefined
  readonly startedAt: number
}

/** Tells the hooks of one server's connection. */
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

  /** Calls a tool and tells of the end, with one promise: each further one shows in the price of a call. */
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

  /** A hook that goes on after it has returned may fail when nobody waits for it any more. */
  #follow(hook: string, pending: unknown): void {
    if (pending instanceof Promise) pending.catch((cause: unknown) => this.#failed(hook, cause))
  }

  #failed(hook: string, cause: unknown): void {
    const message = `the hook ${hook} failed`
    this.#warn?.(new McpError(message, { kind: 'unsupported', code: McpErrorCode.InternalError, cause }))
  }
}
