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
 * MCP's verbs, spoken to one server over one transport, which it owns and closes. A verb that the server did not offer
 * rejects with an `McpError` of kind `unsupported` and sends nothing.
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
    this.#host = (options.hooks ?? options.keepAliveMs) === undefined ? options : this.#besides(options)
  }

  /** What the server said about itself; null before `connect()`. */
  get info(): ServerDescription | null {
    return this.#codec?.description ?? null
  }

  /** Opens the connection, once. When it rejects, everything it started has been closed. */
  connect(options: ConnectOptions = {}): Promise<ServerDescription> {
    if (this.#hasStarted) return Promise.reject(new TypeError('a client connects once'))
    this.#hasStarted = true
    const { signal } = options
    return signal === undefined ? this.#connect(options) : this.#connectUntil(signal, options)
  }

  /** Every tool, over all pages. A server that pages in circles or without end is cut off with a warning. */
  async listTools(options?: RequestOptions): Promise<readonly Tool[]> {
    return listTools(this.#requester, options)
  }

  /** Calls a tool by the server's own name for it. A tool that fails answers with `isError`; it does not reject. */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options?: RequestOptions,
  ): Promise<CallToolResult> {
    if (this.#hooks !== undefined) return this.#hooks.callTool(this, name, args, options)
    return new Promise((resolve, reject) => this[sendToolCall](name, args, options, resolve, reject))
  }

  /**
   * Calls a tool in such a way that the server may answer with a task and go on alone. Where tools say whether they may
   * be called so (`execution.taskSupport`), heeding it is the caller's part.
   */
  async callToolTask(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options?: StartTaskOptions,
  ): Promise<ToolCallStart> {
    return (await loadDeferred()).callToolTask(this.#requester, name, args, options)
  }

  /** How a task stands. */
  async getTask(taskId: string, options?: RequestOptions): Promise<Task> {
    return (await loadDeferred()).getTask(this.#requester, taskId, options)
  }

  /** What the call that became a task would have returned; waits for the task to end. */
  async getTaskResult(taskId: string, options?: RequestOptions): Promise<CallToolResult> {
    return this.awaitTask(taskId, options)
  }

  /** Follows a task to its end and answers its questions; aborting stops the following, not the task. */
  async awaitTask(taskId: string, options?: AwaitTaskOptions): Promise<CallToolResult> {
    return (await loadDeferred()).awaitTask(this.#requester, taskId, options)
  }

  /** Asks the server to stop a task; it may end otherwise all the same. */
  async cancelTask(taskId: string, options?: RequestOptions): Promise<void> {
    return (await loadDeferred()).cancelTask(this.#requester, taskId, options)
  }

  /** Every task the server knows of, where its revision has such a list. */
  async listTasks(options?: RequestOptions): Promise<readonly Task[]> {
    return (await loadDeferred()).listTasks(this.#requester, options)
  }

  /** Every resource that the server lists. */
  async listResources(options?: RequestOptions): Promise<readonly Resource[]> {
    return (await loadDeferred()).listResources(this.#requester, options)
  }

  /** Every template from which URIs of resources can be made. */
  async listResourceTemplates(options?: RequestOptions): Promise<readonly ResourceTemplate[]> {
    return (await loadDeferred()).listResourceTemplates(this.#requester, options)
  }

  /** What is behind a URI. `isResourceNotFound` tells whether a rejection means that there is nothing. */
  async readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    return (await loadDeferred()).readResource(this.#requester, uri, options)
  }

  /** Has the server tell `onNotification` of each change of a resource. */
  async subscribeResource(uri: string, options?: RequestOptions): Promise<void> {
    return (await loadDeferred()).subscribeResource(this.#requester, uri, options)
  }

  /** Ends what `subscribeResource` began. */
  async unsubscribeResource(uri: string, options?: RequestOptions): Promise<void> {
    return (await loadDeferred()).unsubscribeResource(this.#requester, uri, options)
  }

  /** Every prompt that the server offers. */
  async listPrompts(options?: RequestOptions): Promise<readonly Prompt[]> {
    return (await loadDeferred()).listPrompts(this.#requester, options)
  }

  /** The messages of a prompt, filled in. Untrusted text. */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: RequestOptions,
  ): Promise<GetPromptResult> {
    return (await loadDeferred()).getPrompt(this.#requester, name, args, options)
  }

  /** What the server proposes for an argument that is being typed. */
  async complete(request: CompleteRequest, options?: RequestOptions): Promise<Completion> {
    return (await loadDeferred()).complete(this.#requester, request, options)
  }

  /** From now on the server reports what is at least as grave as the level, to `onNotification`. */
  async setLogLevel(level: LogLevel, options?: RequestOptions): Promise<void> {
    const { requireCapability } = await loadDeferred()
    requireCapability(this.#requester.server, 'logging', 'logging')
    await this.#open().setLogLevel(level, this.#withDefaults(options))
  }

  /** Tells the server that the roots are others now, so that it may ask for them again. */
  async rootsChanged(): Promise<void> {
    await this.#open().rootsChanged()
  }

  /**
   * Has the server tell of changes, in whichever way its revision has; `onNotification` hears of them too. Resolves
   * when the server has agreed. Whoever opens it closes it, or the connection's end does.
   */
  async subscribe(
    filter: SubscriptionFilter,
    listener: SubscriptionListener,
    options: SubscribeOptions = {},
  ): Promise<Subscription> {
    return this.#open().subscribe(filter, listener, this.#withDefaults(options))
  }

  /** Results that the server let be used again are asked for anew. */
  invalidateCache(): void {
    this.#open().invalidateCache()
  }

  /** Resolves when the server answers. */
  async ping(options?: RequestOptions): Promise<void> {
    await this.#open().ping(this.#withDefaults(options))
  }

  /** Sends any request and returns its result as it came: for methods that have no verb here. */
  request(method: string, params: object = {}, options?: RequestOptions): Promise<unknown> {
    if (this.#codec === undefined) return Promise.reject(notConnected())
    return this.#codec.request(method, params, this.#withDefaults(options))
  }

  /** Does the same as `callTool` without making a promise, and without the hooks. Neither function may throw. */
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

  /** Ends the connection; what is in flight rejects. Resolves when everything the transport owns is gone. */
  close(): Promise<void> {
    this.#endPings()
    this.#codec?.close(closedError('the connection was closed'))
    return this.#transport.close()
  }

  async #connect(options: ConnectOptions): Promise<ServerDescription> {
    const { hooks, keepAliveMs = 0 } = this.#host
    try {
      options.signal?.throwIfAborted()
      // Before anything is sent: what goes wrong beside the calls may go wrong at once.
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

  /** What this client does itself beside the host's own functions. */
  #besides(options: McpClientOptions): McpClientOptions {
    return {
      ...options,
      onClose: (reason) => {
        this.#endPings()
        options.onClose?.(reason)
      },
      onWarning: (warning) => {
        options.onWarning?.(warning)
        // What cannot be reached although the connection is open is the channel that the server speaks on by itself.
        if (warning.kind === 'unreachable') this.#hooks?.failed('listen', warning)
      },
    }
  }

  /** Made with the first use: a connection that waits to be called has none. */
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
    // Set if the connection ended meanwhile, which has been told.
    this.#stopPinging ??= keepAlive({
      intervalMs,
      ping: (options) => this.ping(options),
      onMissed: (error) => this.#hooks?.failed('ping', error),
      onLost: (reason) => this.#giveUp(reason),
    })
  }

  /** Those that have not begun, too. */
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
