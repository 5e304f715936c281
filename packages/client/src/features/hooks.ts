import type { McpClient } from '../client.ts'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import type { CallToolResult } from '../model/tool.ts'
import { CoarseClock } from '../timing/coarse-clock.ts'
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

type ToolCaller = Pick<McpClient, 'sendToolCall' | 'readToolCall'>

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
    client: ToolCaller,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: RequestOptions | undefined,
  ): Promise<CallToolResult> {
    const call: ToolCall = { tool, options, startedAt: this.#clock.now() }
    return new Promise((resolve) => {
      client.sendToolCall(
        tool,
        args,
        options,
        (answer) => resolve(this.#finish(client, call, answer)),
        (error) => resolve(this.#refuse(call, error)),
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

  #finish(client: ToolCaller, call: ToolCall, answer: unknown): CallToolResult | Promise<CallToolResult> {
    try {
      const result = answer instanceof Promise ? answer : client.readToolCall(answer, call.options)
      return result instanceof Promise ? this.#finishLater(client, call, result) : this.#called(call, result)
    } catch (error) {
      return this.#refuse(call, error)
    }
  }

  /** The server refused at first, or went on alone. */
  async #finishLater(client: ToolCaller, call: ToolCall, answer: Promise<unknown>): Promise<CallToolResult> {
    try {
      return this.#called(call, await client.readToolCall(await answer, call.options))
    } catch (error) {
      return this.#refuse(call, error)
    }
  }

  async #refuse({ options }: ToolCall, error: unknown): Promise<never> {
    this.failed('request', error, options?.trace)
    throw error
  }

  #called({ tool, options, startedAt }: ToolCall, result: CallToolResult): CallToolResult {
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
    return result
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
