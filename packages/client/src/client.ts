import type { ConnectOptions, McpClientOptions } from './client-options.ts'
import type { HookReporter, McpHooks } from './features/hooks.ts'
import { loadDeferred } from './loading/load-deferred.ts'
import { ClientRequester } from './features/requester.ts'
import type { StartTaskOptions } from './features/tasks/task-shape.ts'
import { sendToolCall, type ToolCallSender } from './features/send-tool-call.ts'
import { isTaskStart, listTools, parseCallToolResult } from './features/tools.ts'
import { closedError, type McpError } from './jsonrpc/jsonrpc.ts'
import type { ServerDescription } from './model/capability.ts'
import type { CompleteRequest, Completion } from './model/completion.ts'
import type { LogLevel } from './model/logging.ts'
import type { GetPromptResult, Prompt } from './model/prompt.ts'
import type { ReadResourceResult, Resource, ResourceTemplate } from './model/resource.ts'
import type { Task, ToolCallStart } from './model/task.ts'
import type {
  SubscribeOptions,
  Subscription,
  SubscriptionFilter,
  SubscriptionListener,
} from './revisions/subscription.ts'
import type { CallToolResult, Tool } from './model/tool.ts'
import type { RevisionCodec } from './revisions/codec.ts'
import { negotiate } from './revisions/negotiation/negotiate.ts'
import type { AwaitTaskOptions } from './features/tasks/tasks.ts'
import { isDirect, sendDirect } from './jsonrpc/direct-transport.ts'
import type { McpTransport, RequestOptions } from './jsonrpc/transport.ts'

const NO_OPTIONS: RequestOptions = {}

/**
 * An MCP client for one server over one transport, which it owns and closes. A method whose capability the server did not
 * declare rejects with an `McpError` of kind `unsupported` and sends nothing.
 *
 * @example
 * ```ts
 * import { McpClient } from '@toolbridge/client'
 * import { StdioTransport } from '@toolbridge/client/stdio'
 *
 * const client = new McpClient(new StdioTransport({ command: 'node', args: ['server.mjs'] }))
 * await client.connect()
 * const { content } = await client.callTool('hello', { name: 'Ada' })
 * console.log(content) // [ { type: 'text', text: 'Hello, Ada!' } ]
 * await client.close()
 * ```
 */
export class McpClient implements ToolCallSender {
  readonly #transport: McpTransport
  readonly #host: McpClientOptions
  /** Set once the connection is open. */
  #codec: RevisionCodec | undefined
  #hasStarted = false
  #features: ClientRequester | undefined
  #hooks: HookReporter | undefined
  #stopPinging: (() => void) | undefined

  constructor(transport: McpTransport, options: McpClientOptions = {}) {
    if (options.eraCache !== undefined && options.eraKey === undefined) {
      throw new TypeError('eraCache needs eraKey')
    }
    this.#transport = transport
    this.#host =
      (options.hooks ?? options.keepAliveMs) === undefined ? options : this.#withClientCallbacks(options)
  }

  /** The server's description of itself. Null before `connect()`. */
  get info(): ServerDescription | null {
    return this.#codec?.description ?? null
  }

  /** Opens the connection. Can be called once. When it rejects, everything it opened is closed. */
  connect(options: ConnectOptions = {}): Promise<ServerDescription> {
    if (this.#hasStarted) return Promise.reject(new TypeError('connect() was already called'))
    this.#hasStarted = true
    const { signal } = options
    return signal === undefined ? this.#connect(options) : this.#connectUntil(signal, options)
  }

  /** Lists all tools, over all pages. A repeated cursor or too many pages end the list with a warning. */
  async listTools(options?: RequestOptions): Promise<readonly Tool[]> {
    return listTools(this.#requester, options)
  }

  /** Calls a tool by its raw name. A failure of the tool is a result with `isError`, not a rejection. */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options?: RequestOptions,
  ): Promise<CallToolResult> {
    if (this.#hooks !== undefined) return this.#hooks.callTool(this, name, args, options)
    return new Promise((resolve, reject) => this[sendToolCall](name, args, options, resolve, reject))
  }

  /**
   * Calls a tool and lets the server answer with a task. The caller checks whether the tool allows that
   * (`execution.taskSupport`).
   */
  async callToolTask(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options?: StartTaskOptions,
  ): Promise<ToolCallStart> {
    return (await loadDeferred()).callToolTask(this.#requester, name, args, options)
  }

  /** Reads the state of a task. */
  async getTask(taskId: string, options?: RequestOptions): Promise<Task> {
    return (await loadDeferred()).getTask(this.#requester, taskId, options)
  }

  /** Waits for a task to end and returns its result. */
  async getTaskResult(taskId: string, options?: RequestOptions): Promise<CallToolResult> {
    return this.awaitTask(taskId, options)
  }

  /** Waits for a task to end, answers its input requests and returns its result. Aborting does not cancel the task. */
  async awaitTask(taskId: string, options?: AwaitTaskOptions): Promise<CallToolResult> {
    return (await loadDeferred()).awaitTask(this.#requester, taskId, options)
  }

  /** Requests the cancellation of a task. The task may still complete. */
  async cancelTask(taskId: string, options?: RequestOptions): Promise<void> {
    return (await loadDeferred()).cancelTask(this.#requester, taskId, options)
  }

  /** Lists all tasks of the server. Only in 2025-11-25. */
  async listTasks(options?: RequestOptions): Promise<readonly Task[]> {
    return (await loadDeferred()).listTasks(this.#requester, options)
  }

  /** Lists all resources. */
  async listResources(options?: RequestOptions): Promise<readonly Resource[]> {
    return (await loadDeferred()).listResources(this.#requester, options)
  }

  /** Lists all resource templates. */
  async listResourceTemplates(options?: RequestOptions): Promise<readonly ResourceTemplate[]> {
    return (await loadDeferred()).listResourceTemplates(this.#requester, options)
  }

  /** Reads a resource. `isResourceNotFound` recognizes the error for a missing one. */
  async readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    return (await loadDeferred()).readResource(this.#requester, uri, options)
  }

  /** Subscribes to changes of a resource, reported to `onNotification`. */
  async subscribeResource(uri: string, options?: RequestOptions): Promise<void> {
    return (await loadDeferred()).subscribeResource(this.#requester, uri, options)
  }

  /** Ends a subscription made by `subscribeResource`. */
  async unsubscribeResource(uri: string, options?: RequestOptions): Promise<void> {
    return (await loadDeferred()).unsubscribeResource(this.#requester, uri, options)
  }

  /** Lists all prompts. */
  async listPrompts(options?: RequestOptions): Promise<readonly Prompt[]> {
    return (await loadDeferred()).listPrompts(this.#requester, options)
  }

  /** Returns the messages of a prompt with its arguments filled in. Untrusted text. */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: RequestOptions,
  ): Promise<GetPromptResult> {
    return (await loadDeferred()).getPrompt(this.#requester, name, args, options)
  }

  /** Returns the server's suggestions for the value of an argument. */
  async complete(request: CompleteRequest, options?: RequestOptions): Promise<Completion> {
    return (await loadDeferred()).complete(this.#requester, request, options)
  }

  /** Sets the minimum severity of log messages, which are reported to `onNotification`. */
  async setLogLevel(level: LogLevel, options?: RequestOptions): Promise<void> {
    const { requireCapability } = await loadDeferred()
    requireCapability(this.#requester.server, 'logging')
    await this.#open().setLogLevel(level, this.#withDefaults(options))
  }

  /** Notifies the server that the roots have changed. */
  async rootsChanged(): Promise<void> {
    await this.#open().rootsChanged()
  }

  /**
   * Subscribes to changes in the way of the server's revision. `onNotification` receives them as well. Resolves when the
   * server has acknowledged. The caller closes the subscription, or it ends with the connection.
   */
  async subscribe(
    filter: SubscriptionFilter,
    listener: SubscriptionListener,
    options: SubscribeOptions = {},
  ): Promise<Subscription> {
    return this.#open().subscribe(filter, listener, this.#withDefaults(options))
  }

  /** Clears the cached results of the server. */
  invalidateCache(): void {
    this.#open().invalidateCache()
  }

  /** Resolves when the server answers. */
  async ping(options?: RequestOptions): Promise<void> {
    await this.#open().ping(this.#withDefaults(options))
  }

  /** Sends any request and returns its result unchanged. For methods that have no function here. */
  request(method: string, params: object = {}, options?: RequestOptions): Promise<unknown> {
    if (this.#codec === undefined) return Promise.reject(notConnected())
    return this.#codec.request(method, params, this.#withDefaults(options))
  }

  /** Like `callTool`, without creating a promise and without hooks. `resolve` and `reject` must not throw. */
  [sendToolCall](
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: RequestOptions | undefined,
    resolve: (result: CallToolResult) => void,
    reject: (reason: unknown) => void,
  ): void {
    const own = this.#withDefaults(options)
    const params = { name, arguments: args }
    const receive = (result: unknown): void => this.#receiveToolCall(result, own, resolve, reject)
    if (this.#codec?.passesThrough?.('tools/call', own) === true && isDirect(this.#transport))
      this.#transport[sendDirect]('tools/call', params, own, receive, reject)
    else this.request('tools/call', params, own).then(receive, reject)
  }

  /** Closes the connection. Requests in flight reject. Resolves when all resources of the transport are released. */
  close(): Promise<void> {
    this.#endPings()
    this.#codec?.close(closedError('the connection was closed'))
    return this.#transport.close()
  }

  async #connect(options: ConnectOptions): Promise<ServerDescription> {
    const { hooks, keepAliveMs = 0 } = this.#host
    try {
      options.signal?.throwIfAborted()
      // Before the first message, which can already cause a warning.
      if (hooks !== undefined) await this.#loadHooks(hooks)
      this.#codec = await negotiate(this.#transport, this.#host, this.#withDefaults(options))
      if (keepAliveMs > 0) await this.#keepAlive(keepAliveMs)
      return this.#description()
    } catch (error) {
      await this.close()
      throw error
    }
  }

  async #connectUntil(signal: AbortSignal, options: ConnectOptions): Promise<ServerDescription> {
    const giveUp = (): void => void this.close()
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await this.#connect(options)
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Adds the client's own reactions to the host's callbacks. */
  #withClientCallbacks(options: McpClientOptions): McpClientOptions {
    return {
      ...options,
      onClose: (reason) => {
        this.#endPings()
        options.onClose?.(reason)
      },
      onWarning: (warning) => {
        options.onWarning?.(warning)
        // On an open connection only the server's notification stream can be unreachable.
        if (warning.kind === 'unreachable') this.#hooks?.failed('listen', warning)
      },
    }
  }

  /** Created on first use, to keep idle connections small. */
  get #requester(): ClientRequester {
    this.#features ??= new ClientRequester({
      host: this.#host,
      maxPages: this.#host.maxPages,
      describe: () => this.#description(),
      request: (method, params, options) => this.request(method, params, options),
    })
    return this.#features
  }

  #receiveToolCall(
    result: unknown,
    options: RequestOptions,
    resolve: (result: CallToolResult) => void,
    reject: (reason: unknown) => void,
  ): void {
    if (result instanceof Promise)
      return void result.then((late) => this.#receiveToolCall(late, options, resolve, reject), reject)
    if (isTaskStart(result)) return void this.#awaitStarted(result, options).then(resolve, reject)
    let parsed: CallToolResult
    try {
      parsed = parseCallToolResult(result)
    } catch (error) {
      return reject(error)
    }
    resolve(parsed)
  }

  async #awaitStarted(started: unknown, options: RequestOptions | undefined): Promise<CallToolResult> {
    return (await loadDeferred()).awaitStartedTask(this.#requester, started, options)
  }

  #open(): RevisionCodec {
    if (this.#codec === undefined) throw notConnected()
    return this.#codec
  }

  #description(): ServerDescription {
    if (this.info === null) throw notConnected()
    return this.info
  }

  #withDefaults(options: RequestOptions = NO_OPTIONS): RequestOptions {
    const { timeoutMs } = this.#host
    return timeoutMs === undefined || options.timeoutMs !== undefined ? options : { ...options, timeoutMs }
  }

  async #loadHooks(hooks: McpHooks): Promise<void> {
    const { HookReporter: Reporter } = await loadDeferred()
    const { server = '', onWarning } = this.#host
    this.#hooks = new Reporter(hooks, server, onWarning)
  }

  async #keepAlive(intervalMs: number): Promise<void> {
    const { keepAlive } = await loadDeferred()
    // Already set if the connection ended in the meantime.
    this.#stopPinging ??= keepAlive({
      intervalMs,
      ping: (options) => this.ping(options),
      onMissed: (error) => this.#hooks?.failed('ping', error),
      onLost: (reason) => this.#giveUp(reason),
    })
  }

  /** Also prevents pings that have not started. */
  #endPings(): void {
    this.#stopPinging?.()
    this.#stopPinging = () => {}
  }

  #giveUp(reason: McpError): void {
    this.close().catch((cause: unknown) => this.#hooks?.failed('ping', cause))
    this.#host.onClose?.(reason)
  }
}

function notConnected(): McpError {
  return closedError('not connected: call connect() first')
}
