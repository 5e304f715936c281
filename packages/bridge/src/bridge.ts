import type { CallToolResult, Implementation } from '@toolbridge/client'
import { abortable } from './abortable.ts'
import { type CallOptions, type CallServices, callTool } from './call.ts'
import { type BridgeTool, Catalog, mayHaveTool } from './catalog/catalog.ts'
import type { NamingPolicy } from './catalog/naming.ts'
import { Changes } from './changes.ts'
import type { Authority, ServerSpec } from './config/spec.ts'
import type { Answerer, Origin } from './elicitation/question.ts'
import { QuestionRouter } from './elicitation/router.ts'
import { createEmit, type Emit } from './journal/emit.ts'
import type { Journal } from './journal/events.ts'
import { linkedSignal } from './linked-signal.ts'
import { Approvals } from './permission/approval.ts'
import { compileRules, type PermissionRules } from './permission/rules.ts'
import { type ApplyReport, Fleet } from './upstream/fleet.ts'
import { closedError } from './upstream/launch.ts'
import { definitionKey } from './upstream/reconcile.ts'
import type { UpstreamStatus } from './upstream/state.ts'
import { Upstream } from './upstream/upstream.ts'

export interface BridgeOptions {
  readonly servers: readonly ServerSpec[]
  /** Whom the definitions belong to, which decides what they may draw on. */
  readonly authority: Authority
  /** Overrides `authority` for one definition. */
  readonly authorityOf?: (spec: ServerSpec) => Authority
  /** Mode `ask` without rules unless told. */
  readonly permissions?: PermissionRules
  /** Takes the questions to the principal of `origin` that no call's own answerer takes. Without one they are declined. */
  readonly answerer?: Answerer
  /** Approves the calls that the rules say to ask for, for every origin; the call's answerer unless told. */
  readonly approver?: Answerer
  /** `{ principal: 'local', conversation: 'main' }` unless told. */
  readonly origin?: Origin
  readonly journal?: Journal
  /** How public names are made: `server__tool` unless told. */
  readonly naming?: Partial<NamingPolicy>
  readonly clientInfo?: Implementation
  /** How long one server may take to become ready: 30,000 unless told. */
  readonly startTimeoutMs?: number
  /** How long a server may be silent during a call: 60,000 unless told. A person's time to answer does not count. */
  readonly callTimeoutMs?: number
  /** Aborting while the bridge opens stops what was started and rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

export interface ApplyOptions {
  /** Aborting gives up the servers that are still starting and rejects with the signal's reason; the rest stays. */
  readonly signal?: AbortSignal
}

export interface FindToolOptions {
  /** Aborting ends the wait, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Many servers as one set of tools. Whoever opened it closes it. */
export interface Bridge extends AsyncDisposable {
  /** One stable array, changed in place, sorted by name. */
  readonly tools: readonly BridgeTool[]
  /** Finds a tool by its public name or its `mcp://` address. */
  tool(name: string): BridgeTool | undefined
  /**
   * Finds a tool by its public name or its `mcp://` address, as soon as it is listed; undefined once no server is starting
   * that could have it. Servers that cannot have it are not waited for.
   */
  findTool(name: string, options?: FindToolOptions): Promise<BridgeTool | undefined>
  /**
   * Calls a tool. A failure that the tool itself reports is a result; rejects with a `DeniedError`, an `McpError`, the
   * signal's reason, or a `TypeError` when the arguments cannot be written as JSON (a BigInt, a cycle).
   */
  call(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CallToolResult>
  /** Every server, sorted by name. */
  status(): readonly UpstreamStatus[]
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
  /** Closes the connections that belong to one origin; its next call opens new ones. */
  releaseOrigin(origin: Origin): Promise<void>
  /** Stops every server and withdraws every question; calls in flight fail. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts every enabled server, in parallel, each with its own deadline, and resolves when each is ready or failed.
 * Rejects when a required one failed, after stopping the others, and with a `ConfigError` for permission rules that are
 * none.
 */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
  const bridge = new OpenBridge(options)
  try {
    await bridge.apply(options.servers, options)
    return bridge
  } catch (error) {
    await bridge.close()
    throw error
  }
}

const defaultOrigin: Origin = { principal: 'local', conversation: 'main' }

class OpenBridge implements Bridge {
  readonly #options: BridgeOptions
  readonly #origin: Origin
  readonly #emit: Emit
  readonly #catalog: Catalog
  readonly #router: QuestionRouter
  readonly #fleet: Fleet
  readonly #services: CallServices
  readonly #closing = new AbortController()
  /** Of the listed tools, or of the servers that are starting. */
  readonly #changes = new Changes()
  #closed: Promise<void> | undefined

  constructor(options: BridgeOptions) {
    const { answerer, origin = defaultOrigin } = options
    const closing = this.#closing.signal
    this.#options = options
    this.#origin = origin
    this.#emit = createEmit(options.journal)
    this.#catalog = new Catalog(this.#emit, options.naming)
    this.#router = new QuestionRouter({ answerer, origin, emit: this.#emit })
    this.#fleet = new Fleet({
      emit: this.#emit,
      closing,
      keyOf: (spec) => definitionKey(spec, this.#authorityOf(spec)),
      create: (spec) => this.#createUpstream(spec),
      onChange: () => this.#showTools(),
    })
    this.#services = {
      origin,
      rules: compileRules(options.permissions ?? {}),
      approvals: new Approvals(this.#emit),
      approver: options.approver,
      router: this.#router,
      callTimeoutMs: options.callTimeoutMs ?? 60_000,
      emit: this.#emit,
      closing,
      find: (name) => this.#find(name),
    }
  }

  get tools(): readonly BridgeTool[] {
    return this.#catalog.tools
  }

  tool(name: string): BridgeTool | undefined {
    return this.#catalog.find(name)
  }

  async findTool(name: string, { signal }: FindToolOptions = {}): Promise<BridgeTool | undefined> {
    using ended = linkedSignal(signal, this.#closing.signal)
    for (;;) {
      ended.signal.throwIfAborted()
      const tool = this.#catalog.find(name)
      if (
        tool !== undefined ||
        !this.#fleet.starting.some((server) => mayHaveTool(server, name, this.#catalog.naming))
      )
        return tool
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

  apply(servers: readonly ServerSpec[], { signal }: ApplyOptions = {}): Promise<ApplyReport> {
    return this.#fleet.apply(servers, signal)
  }

  releaseOrigin(origin: Origin): Promise<void> {
    return this.#fleet.releaseOrigin(origin)
  }

  close(): Promise<void> {
    this.#closing.abort(closedError('the bridge was closed'))
    this.#closed ??= this.#fleet.close()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #find(name: string): { readonly tool: BridgeTool; readonly upstream: Upstream } | undefined {
    const tool = this.#catalog.find(name)
    const upstream = tool && this.#fleet.find(tool.server)
    return tool && upstream && { tool, upstream }
  }

  #createUpstream(spec: ServerSpec): Upstream {
    return new Upstream(spec, {
      authority: this.#authorityOf(spec),
      origin: this.#origin,
      router: this.#router,
      emit: this.#emit,
      clientInfo: this.#options.clientInfo,
      startTimeoutMs: this.#options.startTimeoutMs ?? 30_000,
      onTools: () => this.#showTools(),
    })
  }

  #showTools(): void {
    this.#catalog.show(
      this.#fleet.upstreams.map(({ spec, tools }) => ({ name: spec.name, tools, filter: spec })),
    )
    this.#changes.tell()
  }

  #authorityOf(spec: ServerSpec): Authority {
    return this.#options.authorityOf?.(spec) ?? this.#options.authority
  }
}
