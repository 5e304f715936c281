import type { CallToolResult } from '@toolbridge/client'
import { abortable } from './abortable.ts'
import type { ApplyOptions, BridgeOptions, FindToolOptions, WatchOptions } from './bridge-options.ts'
import { type CallOptions, type CallServices, callTool, type Route } from './call.ts'
import { type BridgeTool, Catalog, mayHaveTool } from './catalog/catalog.ts'
import type { QuarantinedTool } from './catalog/lowering/compile-tool.ts'
import { namingChoices } from './catalog/naming.ts'
import type { ProfileName } from './catalog/profiles/profile.ts'
import type { ToolMatches } from './catalog/search/index-of-tools.ts'
import { type SearchToolsOptions, ToolSearch } from './catalog/search/tool-search.ts'
import { type ModelTool, type ModelTools, ToolCompiler } from './catalog/tool-compiler.ts'
import { Changes } from './changes.ts'
import type { Authority, ServerSpec } from './config/spec.ts'
import { memoryTrustStore } from './config/trust.ts'
import { defaultQuestionPolicy, type QuestionPolicy } from './elicitation/policy.ts'
import type { Origin } from './elicitation/question.ts'
import { QuestionRouter } from './elicitation/router.ts'
import { CallJournal } from './journal/call-journal.ts'
import { createEmit, type Emit } from './journal/emit.ts'
import { linkedSignal } from './linked-signal.ts'
import { type BridgePrompts, type BridgeResources, Offers } from './offers.ts'
import { Gate } from './permission/gate.ts'
import { memoryGrantStore } from './permission/grants.ts'
import { memoryPinStore } from './permission/pins.ts'
import { compileRules } from './permission/rules.ts'
import { resultChoices } from './results/policy.ts'
import { type BridgeResults, Results } from './results/results.ts'
import { createSchemaChecks } from './results/schema-checks.ts'
import { systemClock } from './upstream/clock.ts'
import { type ApplyReport, Fleet } from './upstream/fleet.ts'
import { closedError } from './upstream/launch.ts'
import type { ListName } from './upstream/lists.ts'
import { Processes, type ServerProcess } from './upstream/processes.ts'
import { definitionKey } from './upstream/reconcile.ts'
import { defaultRestarts } from './upstream/restarts.ts'
import { Room } from './upstream/room.ts'
import type { ConfigSource } from './upstream/source.ts'
import { messageOf, type UpstreamStatus } from './upstream/state.ts'
import { Upstream, type UpstreamOptions } from './upstream/upstream.ts'
import { watchSource } from './upstream/watch.ts'

/** Many servers as one set of tools. Whoever opened it closes it. */
export interface Bridge extends AsyncDisposable {
  /** One stable array, changed in place, sorted by name. */
  readonly tools: readonly BridgeTool[]
  readonly resources: BridgeResources
  readonly prompts: BridgePrompts
  /** What becomes of results, and the way to those that were too large to hand over. */
  readonly results: BridgeResults
  /** Finds a tool by its public name or its `mcp://` address. */
  tool(name: string): BridgeTool | undefined
  /**
   * Finds a tool by its public name or its `mcp://` address, as soon as it is listed; undefined once no server is starting
   * that could have it. Servers that wait to be needed and could have it are started; others are not waited for.
   */
  findTool(name: string, options?: FindToolOptions): Promise<BridgeTool | undefined>
  /**
   * Calls a tool. A failure that the tool itself reports is a result; rejects with a `DeniedError`, an `McpError`, the
   * signal's reason, or a `TypeError` when the arguments cannot be written as JSON (a BigInt, a cycle).
   */
  call(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CallToolResult>
  /** The tools that fit a query best, by words of their names, titles, descriptions and arguments. */
  searchTools(query: string, options?: SearchToolsOptions): ToolMatches
  /** The tools as models of a provider take them. One that it would refuse is put aside, with a diagnostic. */
  toolsFor(profile: ProfileName): ModelTools
  /** The same for one tool of the bridge. */
  toolFor(profile: ProfileName, tool: BridgeTool): ModelTool | QuarantinedTool
  /** Every server, sorted by name. */
  status(): readonly UpstreamStatus[]
  /** Every process that runs a server, those included that are on their way out. */
  processes(): readonly ServerProcess[]
  /**
   * Makes these the servers: stops what is gone, starts what is new, changed or failed before, and lets each take its place
   * as soon as it is ready, or failed; until then the one it replaces goes on. Resolves when all have. A server with calls
   * in flight is stopped when they are over; `apply` does not wait for those.
   *
   * When a server that is to start is required, nothing changes before the required ones are ready, and nothing at all
   * when one of them fails, which rejects. A newer `apply` takes over at once: it ends the starts that are not wanted any
   * more, and the older one resolves with a report that says so.
   */
  apply(servers: readonly ServerSpec[], options?: ApplyOptions): Promise<ApplyReport>
  /** Reads the definitions again from where they came and applies them. When they cannot be read, all stays as it is. */
  reload(options?: ApplyOptions): Promise<ApplyReport>
  /** Reloads whenever the definitions change, until it is disposed of or the bridge is closed. Failures are diagnostics. */
  watch(options?: WatchOptions): Disposable
  /** Closes the connections that belong to one origin; its next call opens new ones. */
  releaseOrigin(origin: Origin): Promise<void>
  /** Stops every server and withdraws every question; calls in flight fail. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts every enabled server that does not wait to be needed, in parallel, each with its own deadline, and resolves when
 * each is ready or failed. Rejects when a required one failed, after stopping the others, and with a `ConfigError` for
 * permission rules that are none.
 */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
  const bridge = new OpenBridge(options)
  try {
    await bridge.reload(options)
    return bridge
  } catch (error) {
    await bridge.close()
    throw error
  }
}

const defaultOrigin: Origin = { principal: 'local', conversation: 'main' }

class OpenBridge implements Bridge {
  readonly #options: BridgeOptions
  readonly #emit: Emit
  readonly #catalog: Catalog
  readonly #search: ToolSearch
  readonly #compiler: ToolCompiler
  readonly #results: Results
  readonly #fleet: Fleet
  readonly #services: CallServices
  readonly #offers: Offers
  readonly #upstreamOptions: UpstreamOptions
  readonly #gate: Gate
  readonly #routes = new Map<string, Route>()
  readonly #processes = new Processes()
  readonly #closing = new AbortController()
  readonly #watches = new Set<Disposable>()
  /** Of the listed tools, or of the servers that are starting. */
  readonly #changes = new Changes()
  #closed: Promise<void> | undefined

  constructor(options: BridgeOptions) {
    const { answerer, origin = defaultOrigin } = options
    this.#options = options
    this.#emit = createEmit(options.journal)
    this.#gate = this.#createGate()
    const { policy = {}, naming, results } = options
    const checks = createSchemaChecks()
    this.#catalog = new Catalog(this.#emit, { ...namingChoices(policy), ...naming })
    this.#search = new ToolSearch(this.#catalog)
    this.#compiler = new ToolCompiler(this.#catalog, this.#emit, checks)
    this.#results = new Results({ ...resultChoices(policy), ...results }, checks, origin)
    const questions = { ...defaultQuestionPolicy, ...options.questions }
    const clock = options.clock ?? systemClock
    const router = new QuestionRouter({
      answerer,
      origin,
      emit: this.#emit,
      clock,
      policy: questions,
      mayAsk: (server, kind, by) => this.#gate.mayAsk(server, kind, by),
    })
    this.#upstreamOptions = this.#optionsOfUpstreams(origin, router, questions)
    this.#fleet = this.#createFleet()
    this.#services = this.#createCallServices(origin, router)
    this.#offers = new Offers({
      origin,
      callTimeoutMs: options.callTimeoutMs ?? defaultCallTimeoutMs,
      upstreams: () => this.#fleet.upstreams,
      find: (server) => this.#fleet.find(server),
      tell: (code, server, message) => this.#emit({ type: 'diagnostic', code, server, message }),
      permit: (subject, args, by, signal) =>
        this.#gate.permitAbout(subject, {
          args,
          origin: by,
          approver: options.approver ?? router.answererFor(by, undefined),
          signal: signal ?? this.#closing.signal,
        }),
    })
  }

  get tools(): readonly BridgeTool[] {
    return this.#catalog.tools
  }

  get resources(): BridgeResources {
    return this.#offers.resources
  }

  get prompts(): BridgePrompts {
    return this.#offers.prompts
  }

  get results(): BridgeResults {
    return this.#results
  }

  searchTools(query: string, options?: SearchToolsOptions): ToolMatches {
    return this.#search.search(query, options)
  }

  toolsFor(profile: ProfileName): ModelTools {
    return this.#compiler.compile(profile)
  }

  toolFor(profile: ProfileName, tool: BridgeTool): ModelTool | QuarantinedTool {
    return this.#compiler.compileOne(tool, profile)
  }

  tool(name: string): BridgeTool | undefined {
    return this.#catalog.find(name)
  }

  async findTool(name: string, { signal }: FindToolOptions = {}): Promise<BridgeTool | undefined> {
    using ended = linkedSignal(signal, this.#closing.signal)
    const tried = new Set<Upstream>()
    for (;;) {
      ended.signal.throwIfAborted()
      const tool = this.#catalog.find(name)
      if (tool !== undefined) return tool
      for (const upstream of this.#dormant(name))
        if (tried.size < tried.add(upstream).size) this.#wake(upstream)
      if (!this.#fleet.starting.some((server) => this.#mayHave(server, name))) return undefined
      await abortable(this.#changes.next(), ended.signal)
    }
  }

  call(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<CallToolResult> {
    return callTool(this.#services, name, args, options)
  }

  status(): readonly UpstreamStatus[] {
    return this.#fleet.upstreams
      .map((upstream) => upstream.status)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  processes(): readonly ServerProcess[] {
    return this.#processes.list()
  }

  apply(servers: readonly ServerSpec[], { signal }: ApplyOptions = {}): Promise<ApplyReport> {
    return this.#fleet.apply(servers, signal)
  }

  async reload({ signal }: ApplyOptions = {}): Promise<ApplyReport> {
    const { servers } = this.#options
    if (!isSource(servers)) return this.apply(servers, signal === undefined ? {} : { signal })
    const reading = await servers.read(signal === undefined ? {} : { signal })
    for (const { code, message, fix } of reading.issues ?? [])
      this.#emit({ type: 'diagnostic', code, message: `${message}; ${fix}` })
    return this.#fleet.apply(reading.servers, signal)
  }

  watch({ debounceMs = 200 }: WatchOptions = {}): Disposable {
    const { servers, clock = systemClock } = this.#options
    if (!isSource(servers)) throw new TypeError('a list of definitions does not change; hand in their source')
    const watching = watchSource({ source: servers, clock, debounceMs, reload: () => this.#reloadQuietly() })
    this.#watches.add(watching)
    return watching
  }

  releaseOrigin(origin: Origin): Promise<void> {
    this.#gate.forget(origin)
    return this.#fleet.releaseOrigin(origin)
  }

  close(): Promise<void> {
    this.#closing.abort(closedError('the bridge was closed'))
    for (const watching of this.#watches) watching[Symbol.dispose]()
    this.#closed ??= this.#fleet.close()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #route(name: string): Route | undefined {
    const known = this.#routes.get(name)
    if (known !== undefined) return known
    const tool = this.#catalog.find(name)
    const upstream = tool && this.#fleet.find(tool.server)
    if (tool === undefined || upstream === undefined) return undefined
    const { spec } = upstream
    const timeoutMs = spec.timeouts?.callMs ?? this.#options.callTimeoutMs ?? defaultCallTimeoutMs
    const permission = this.#gate.permissionOf(tool, { spec, authority: this.#authorityOf(spec) })
    const route = { tool, upstream, permission, timeoutMs }
    this.#routes.set(name, route)
    return route
  }

  #mayHave(server: string, name: string): boolean {
    return mayHaveTool(server, name, this.#catalog.naming)
  }

  #dormant(name: string): readonly Upstream[] {
    return this.#fleet.upstreams.filter(
      (upstream) => upstream.isDormant && this.#mayHave(upstream.spec.name, name),
    )
  }

  #wake(upstream: Upstream): void {
    void upstream.wake().then(() => this.#changes.tell())
  }

  async #reloadQuietly(): Promise<void> {
    try {
      await this.reload({ signal: this.#closing.signal })
    } catch (error) {
      if (this.#closing.signal.aborted) return
      const message = `the changed definitions are not in force: ${messageOf(error)}`
      this.#emit({ type: 'diagnostic', code: 'reload_failed', message })
    }
  }

  #show(list: ListName): void {
    if (list === 'tools') this.#showTools()
    else this.#offers.show()
  }

  #showTools(): void {
    this.#routes.clear()
    this.#catalog.show(
      this.#fleet.upstreams.map(({ spec, tools }) => ({ name: spec.name, tools, filter: spec })),
    )
    this.#changes.tell()
  }

  #authorityOf(spec: ServerSpec): Authority {
    return this.#options.authorityOf?.(spec) ?? this.#options.authority
  }

  #optionsOfUpstreams(origin: Origin, router: QuestionRouter, questions: QuestionPolicy): UpstreamOptions {
    const {
      trust,
      inputs,
      quotas,
      credentials,
      webSocket,
      transportOf,
      clientInfo,
      clock,
      random,
      restarts,
    } = this.#options
    return {
      authorityOf: (spec) => this.#authorityOf(spec),
      trust: trust ?? memoryTrustStore(),
      inputs,
      quotas,
      credentialsOf: credentials,
      webSocket,
      transportOf,
      router,
      processes: this.#processes,
      clientInfo,
      origin,
      emit: this.#emit,
      clock: clock ?? systemClock,
      random: random ?? Math.random,
      startTimeoutMs: this.#options.startTimeoutMs ?? 30_000,
      keepAliveMs: this.#options.keepAliveMs ?? 30_000,
      idleMs: this.#options.idleMs ?? 300_000,
      restarts: { ...defaultRestarts, ...restarts },
      questions,
      room: new Room(questions, clock ?? systemClock),
      onList: (list) => this.#show(list),
    }
  }

  #createGate(): Gate {
    const { permissions = {}, grants, pins } = this.#options
    return new Gate({
      rules: compileRules(permissions),
      grants: grants ?? memoryGrantStore(),
      pins: pins ?? memoryPinStore(),
      sources: () => this.#fleet.upstreams.map(({ spec }) => spec.source.file),
      emit: this.#emit,
    })
  }

  #createFleet(): Fleet {
    return new Fleet({
      emit: this.#emit,
      closing: this.#closing.signal,
      keyOf: (spec) => definitionKey(spec, this.#authorityOf(spec)),
      create: (spec) => new Upstream(spec, this.#upstreamOptions),
      onChange: () => {
        this.#showTools()
        this.#offers.show()
      },
    })
  }

  #createCallServices(origin: Origin, router: QuestionRouter): CallServices {
    const { journal } = this.#options
    return {
      origin,
      gate: this.#gate,
      approver: this.#options.approver,
      router,
      journal: journal && new CallJournal(journal),
      closing: this.#closing.signal,
      results: this.#results.isIdle ? undefined : this.#results,
      find: (name) => this.#route(name),
      awaken: async (name, signal) => {
        const found = await this.findTool(name, signal === undefined ? {} : { signal })
        return found && this.#route(name)
      },
    }
  }
}

const defaultCallTimeoutMs = 60_000

function isSource(servers: BridgeOptions['servers']): servers is ConfigSource {
  return 'read' in servers
}
