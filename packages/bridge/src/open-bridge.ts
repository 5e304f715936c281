import type { CallToolResult, Root } from '@toolbridge/client'
import { CoarseClock, abortable, linkedSignal } from '@toolbridge/client/internal'
import type { ApplyOptions, BridgeOptions, FindToolOptions, WatchOptions } from './bridge-options.ts'
import { type Arguments, type CallOptions, type CallServices, callTool, permissionFor } from './call.ts'
import type { BridgeTool } from './catalog/catalog.ts'
import type { QuarantinedTool } from './catalog/lowering/lower-tool.ts'
import type { ProfileName } from './catalog/profiles/profile.ts'
import type { ToolMatches } from './catalog/search/tool-index.ts'
import type { SearchToolsOptions } from './catalog/search/tool-search.ts'
import type { ModelTool, ModelTools } from './catalog/tool-compiler.ts'
import { defaultTimeouts } from './config/spec/default-timeouts.ts'
import { setPolicies } from './config/spec/policy.ts'
import type { Authority, ServerSpec } from './config/spec/server-spec.ts'
import { requireTrust } from './config/trust/trust-store.ts'
import { type DirectServer, directServer } from './direct-server.ts'
import { missingTool } from './missing-tool.ts'
import { defaultQuestionPolicy } from './elicitation/question-policy.ts'
import type { Origin } from './origin.ts'
import { QuestionRouter } from './elicitation/router.ts'
import { SignIns } from './credentials/sign-ins.ts'
import { CallJournal } from './journal/events/call-journal.ts'
import { type CodeRunStart, type JournaledCodeRun, startCodeRun } from './journal/events/code-journal.ts'
import { createClientFeatures } from './client-features.ts'
import { redactingApprover } from './elicitation/redacting-answerer.ts'
import { createEmit, type Emit } from './journal/events/emit.ts'
import type { Journal } from './journal/events/events.ts'
import type { Redaction } from './journal/redaction/redaction.ts'
import { redactedError } from './journal/redaction/redactor.ts'
import { RequestJournal } from './journal/events/request-journal.ts'
import { eventStream } from './journal/sinks/event-stream.ts'
import { type BridgePrompts, type BridgeResources, ResourcesAndPrompts } from './resources-and-prompts.ts'
import { type CallPermission, Permissions } from './permission/permissions.ts'
import { memoryGrantStore } from './permission/approvals/grant-store.ts'
import { memoryPinStore, type PinStore } from './permission/pins/pins.ts'
import { compileRules, type PermissionRules } from './permission/rules/rules.ts'
import { type BridgeResults, Results } from './results/results.ts'
import { createSchemaChecks } from './catalog/schema/schema-checks.ts'
import { SettableRoots } from './roots.ts'
import { ToolFinder } from './tool-finder.ts'
import { type BridgePins, createToolPins } from './tool-pins.ts'
import { ToolTargets } from './tool-targets.ts'
import type { ClientFeatures } from './upstream/connections/server-questions.ts'
import { systemClock } from './async/clock.ts'
import type { ApplyReport } from './fleet/change.ts'
import { Fleet } from './fleet/fleet.ts'
import { closedError } from './upstream/connections/launch.ts'
import type { ListName } from './upstream/upstream-lists.ts'
import { ObservedConnections, type ServerObserver } from './upstream/connections/observed-connections.ts'
import { Processes, type ServerProcess } from './upstream/connections/processes.ts'
import { definitionKey, rightsKey } from './fleet/reconcile.ts'
import { FleetSource } from './fleet/fleet-source.ts'
import type { UpstreamStatus } from './upstream/upstream-state.ts'
import { Upstream } from './upstream/upstream.ts'
import type { UpstreamOptions } from './upstream/upstream-options.ts'
import { upstreamOptions } from './upstream-defaults.ts'
import type { Bridge } from './bridge.ts'
import { ToolTable } from './catalog/tool-table.ts'

const defaultOrigin: Origin = { principal: 'local', conversation: 'main' }

/** The implementation of `Bridge`: builds, owns and closes its parts. */
export class OpenBridge implements Bridge {
  readonly #options: BridgeOptions
  readonly #redaction: Redaction
  readonly #journal: Journal | undefined
  readonly #emit: Emit
  readonly #tools: ToolTable
  readonly #results: Results
  readonly #fleet: Fleet
  readonly #source: FleetSource
  readonly #finder: ToolFinder
  readonly #services: CallServices
  readonly #content: ResourcesAndPrompts
  readonly #upstreamOptions: UpstreamOptions
  readonly #pinStore: PinStore
  readonly #permissions: Permissions
  readonly #roots: SettableRoots | undefined
  readonly #features: ClientFeatures
  readonly #targets: ToolTargets
  readonly pins: BridgePins
  readonly #processes = new Processes()
  readonly #observed = new ObservedConnections()
  readonly #closing = new AbortController()
  #closed: Promise<void> | undefined

  constructor(options: BridgeOptions, redaction: Redaction) {
    this.#redaction = redaction
    const { answerer, origin = defaultOrigin } = options
    this.#options = { ...options, ...redactingApprover(options, this.#redaction) }
    this.#journal = eventStream(options, this.#redaction)
    this.#emit = createEmit(this.#journal)
    this.#pinStore = options.pins ?? memoryPinStore()
    this.#permissions = this.#createPermissions()
    const { policy = {}, naming, results } = options
    const checks = createSchemaChecks()
    this.#tools = new ToolTable({
      emit: this.#emit,
      naming: naming ?? {},
      policy,
      checks,
      read: () =>
        this.#fleet.upstreams.map(({ spec, tools }) => {
          const filter = { ...spec, policy: setPolicies(spec, policy) }
          return { name: spec.name, tools, filter }
        }),
    })
    this.#results = new Results(results ?? {}, checks, origin, policy)
    this.#targets = this.#createTargets()
    this.pins = createToolPins({
      pins: this.#pinStore,
      origin,
      tools: () => this.tools,
      find: (name) => this.#targets.find(name),
      forget: () => this.#targets.forget(),
    })
    const questions = { ...defaultQuestionPolicy, ...options.questions }
    const clock = options.clock ?? systemClock
    const router = new QuestionRouter({
      answerer,
      origin,
      emit: this.#emit,
      redaction: this.#redaction,
      clock,
      hasJournal: options.journal !== undefined,
      policy: questions,
      mayAsk: (server, kind, by) => this.#permissions.mayAsk(server, kind, by),
    })
    this.#roots = options.roots && new SettableRoots(options.roots)
    this.#features = createClientFeatures(this.#options, {
      router,
      permissions: this.#permissions,
      emit: this.#emit,
      redaction: this.#redaction,
      roots: this.#roots,
    })
    this.#upstreamOptions = upstreamOptions(this.#options, {
      authorityOf: (spec) => this.#authorityOf(spec),
      features: this.#features,
      processes: this.#processes,
      observed: this.#observed,
      origin,
      emit: this.#emit,
      questions,
      onList: (list) => this.#show(list),
    })
    this.#fleet = this.#createFleet()
    const closing = this.#closing.signal
    this.#source = new FleetSource(options.servers, { fleet: this.#fleet, emit: this.#emit, clock, closing })
    this.#finder = new ToolFinder({ tools: this.#tools, fleet: this.#fleet, closing })
    this.#services = this.#createCallServices(origin, router)
    this.#content = new ResourcesAndPrompts({
      origin,
      callTimeoutMs: options.callTimeoutMs ?? defaultTimeouts.callMs,
      upstreams: () => this.#fleet.upstreams,
      find: (server) => this.#fleet.find(server),
      replaced: (server, signal) => this.#fleet.replaced(server, signal),
      tell: (code, server, message) => this.#emit({ type: 'diagnostic', code, server, message }),
      requests: new RequestJournal(this.#emit, options.telemetry),
      decide: (subject, by) => this.#permissions.decideAbout(subject, by),
      permit: (subject, args, { origin: by, answerer: ofRequest }, signal) =>
        this.#permissions.permitAbout(subject, {
          args,
          origin: by,
          approver: this.#options.approver ?? router.answererFor(by, ofRequest),
          signal: signal ?? this.#closing.signal,
        }),
    })
  }

  get tools(): readonly BridgeTool[] {
    return this.#tools.tools
  }

  get resources(): BridgeResources {
    return this.#content.resources
  }

  get prompts(): BridgePrompts {
    return this.#content.prompts
  }

  get results(): BridgeResults {
    return this.#results
  }

  searchTools(query: string, options?: SearchToolsOptions): ToolMatches {
    return this.#tools.search(query, options)
  }

  toolsFor(profile: ProfileName): ModelTools {
    return this.#tools.compile(profile)
  }

  toolFor(profile: ProfileName, tool: BridgeTool): ModelTool | QuarantinedTool {
    return this.#tools.compileOne(tool, profile)
  }

  tool(name: string): BridgeTool | undefined {
    return this.#tools.find(name)
  }

  findTool(name: string, { signal }: FindToolOptions = {}): Promise<BridgeTool | undefined> {
    return this.#finder.find(name, signal)
  }

  call(name: string, args: Arguments = {}, options: CallOptions = {}): Promise<CallToolResult> {
    return callTool(this.#services, name, args, options)
  }

  permissionFor(
    name: string,
    args: Arguments = {},
    options: Pick<CallOptions, 'origin'> = {},
  ): Promise<CallPermission | undefined> {
    return permissionFor(this.#services, name, args, options)
  }

  deniedTools({
    origin = this.#services.origin,
  }: Pick<CallOptions, 'origin'> = {}): ReadonlyMap<string, string> {
    return this.#targets.deniedTo(origin.principal)
  }

  startCodeRun(run: CodeRunStart = {}): JournaledCodeRun {
    return startCodeRun(this.#emit, { origin: this.#services.origin, ...run })
  }

  status(): readonly UpstreamStatus[] {
    return this.#fleet.upstreams
      .map((upstream) => this.#statusOf(upstream))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  processes(): readonly ServerProcess[] {
    return this.#processes.list()
  }

  apply(servers: readonly ServerSpec[], { signal }: ApplyOptions = {}): Promise<ApplyReport> {
    return this.#fleet.apply(servers, signal)
  }

  reload({ signal }: ApplyOptions = {}): Promise<ApplyReport> {
    return this.#source.reload(signal)
  }

  watch({ debounceMs }: WatchOptions = {}): Disposable {
    return this.#source.watch(debounceMs)
  }

  async retry(server: string, { signal }: ApplyOptions = {}): Promise<UpstreamStatus | undefined> {
    const upstream = this.#fleet.find(server)
    if (upstream === undefined) return undefined
    using ended = linkedSignal(signal, this.#closing.signal)
    await abortable(upstream.retry(), ended.signal)
    return this.#statusOf(upstream)
  }

  async restart(server: string, { signal }: ApplyOptions = {}): Promise<UpstreamStatus | undefined> {
    await this.#fleet.restart(server, signal)
    const upstream = this.#fleet.find(server)
    return upstream && this.#statusOf(upstream)
  }

  direct(server: string): DirectServer | undefined {
    return directServer(this.#fleet.find(server), this.#services.origin)
  }

  observe(server: string, observer: ServerObserver): Disposable {
    return this.#observed.observe(server, observer)
  }

  releaseOrigin(origin: Origin): Promise<void> {
    this.#permissions.forget(origin)
    this.#features.sampling?.forget(origin)
    return this.#fleet.releaseOrigin(origin)
  }

  setRoots(roots: readonly Root[]): void {
    if (this.#roots === undefined)
      throw new TypeError('open the bridge with roots, be it an empty list, to set them')
    this.#roots.set(roots)
  }

  setPermissions(rules: PermissionRules): void {
    this.#permissions.replaceRules(compileRules(rules))
    this.#targets.forget()
    // Rules decide which roots a server is told of.
    this.#roots?.set(this.#roots.list())
  }

  close(): Promise<void> {
    this.#closing.abort(closedError('the bridge was closed'))
    this.#source[Symbol.dispose]()
    this.#closed ??= this.#fleet.close()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #statusOf(upstream: Upstream): UpstreamStatus {
    return this.#redaction.status(this.#fleet.statusOf(upstream))
  }

  #show(list: ListName): void {
    if (list === 'tools') this.#showTools()
    else this.#content.show()
  }

  #showTools(): void {
    this.#targets.forget()
    this.#tools.changed()
    this.#finder.changed()
  }

  #authorityOf(spec: ServerSpec): Authority {
    return this.#options.authorityOf?.(spec) ?? this.#options.authority
  }

  #createPermissions(): Permissions {
    const { permissions = {}, grants, clock = systemClock, questions } = this.#options
    const { answerTimeoutMs } = { ...defaultQuestionPolicy, ...questions }
    return new Permissions(compileRules(permissions), {
      grants: grants ?? memoryGrantStore(),
      pins: this.#pinStore,
      definitions: () => this.#fleet.upstreams.map(({ spec }) => spec),
      emit: this.#emit,
      clock,
      answerTimeoutMs,
    })
  }

  #createFleet(): Fleet {
    return new Fleet({
      emit: this.#emit,
      closing: this.#closing.signal,
      keyOf: (spec) => definitionKey(spec, this.#authorityOf(spec)),
      rightsOf: (spec) => rightsKey(this.#authorityOf(spec)),
      requireTrust: (spec) => requireTrust(spec, this.#upstreamOptions.trust),
      clock: this.#upstreamOptions.clock,
      startTimeoutMs: this.#upstreamOptions.startTimeoutMs,
      create: (spec) => new Upstream(spec, this.#upstreamOptions),
      onChange: () => {
        this.#showTools()
        this.#content.show()
      },
    })
  }

  #createTargets(): ToolTargets {
    return new ToolTargets({
      tools: () => this.#tools.tools,
      toolOf: (name) => this.#tools.find(name),
      upstreamOf: (server) => this.#fleet.find(server),
      permissionOf: (tool, spec) =>
        this.#permissions.permissionOf(tool, { spec, authority: this.#authorityOf(spec) }),
      results: this.#results,
      callTimeoutMs: this.#options.callTimeoutMs ?? defaultTimeouts.callMs,
    })
  }

  #createCallServices(origin: Origin, router: QuestionRouter): CallServices {
    const { telemetry } = this.#options
    const { clock, questions } = this.#upstreamOptions
    const closing = this.#closing.signal
    const coarseClock = new CoarseClock()
    return {
      origin,
      coarseClock,
      permissions: this.#permissions,
      approver: this.#options.approver,
      router,
      signIns: new SignIns({ router, clock, timeoutMs: questions.answerTimeoutMs, closing }),
      journal: this.#journal && new CallJournal(this.#journal, coarseClock),
      traceOf: telemetry && ((callId) => telemetry.traceOf(callId)),
      closing,
      onCallEnd: this.#options.onCallEnd,
      redactText: (text) => this.#redaction.text(text),
      redact: (error) => redactedError(error, (text) => this.#redaction.text(text)),
      find: (name) => this.#targets.find(name),
      gaps: this.#fleet.gaps,
      replaced: (server, signal) => this.#fleet.replaced(server, signal),
      isFoundOnceStarted: async (name, signal) =>
        (await this.findTool(name, signal === undefined ? {} : { signal })) !== undefined,
      missing: (name) => missingTool(name, this.#fleet.upstreams, this.#tools, this.#redaction),
    }
  }
}
