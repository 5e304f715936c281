import type {
  CompleteRequest,
  Completion,
  GetPromptResult,
  McpClient,
  Prompt,
  ReadResourceResult,
  RequestOptions,
  Resource,
  ResourceTemplate,
} from '@toolbridge/client'
import { McpError, McpErrorCode } from '@toolbridge/client'
import { abortable } from '@toolbridge/client/internal'
import type { Answerer } from './elicitation/question.ts'
import type { Origin } from './origin.ts'
import type { ObservedMethod } from './journal/events/events.ts'
import type { RequestJournal } from './journal/events/request-journal.ts'
import type { CallPermission } from './permission/permissions.ts'
import type { Subject } from './permission/rules/subject.ts'
import type { Listing } from './upstream/listing.ts'
import type { Caller } from './upstream/connections/claim.ts'
import type { Upstream } from './upstream/upstream.ts'

/** A resource, template or prompt of a server. */
export interface ServerItem<T> {
  /** Name of the server. */
  readonly server: string
  /** The definition that the server sent. Untrusted text. */
  readonly definition: T
}

/** Options of lists. */
export interface ListOptions {
  /** Aborting rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Options of requests to one server. */
export interface ServerRequestOptions extends ListOptions {
  /** Caller. Default: the bridge's own origin. */
  readonly origin?: Origin
  /** Channel for the questions of this request. Default: the bridge's answerer. */
  readonly answerer?: Answerer
  /** Timeout of the request. Default: as for calls. */
  readonly timeoutMs?: number
}

/** Options of a subscription to a resource. */
export interface ResourceSubscription extends ServerRequestOptions {
  /** Called when the resource may have changed. */
  readonly onUpdate: () => void
  /** Called once if the subscription is ended by the server or its connection. Default: not reported. */
  readonly onEnd?: () => void
}

/** Resources of all servers. A server that does not list them in time is left out with a diagnostic. */
export interface BridgeResources {
  /** Lists the resources of all running servers, by server and URI. One stable array, changed in place. */
  list(options?: ListOptions): Promise<readonly ServerItem<Resource>[]>
  /** Lists the resource templates in the same way. */
  templates(options?: ListOptions): Promise<readonly ServerItem<ResourceTemplate>[]>
  read(server: string, uri: string, options?: ServerRequestOptions): Promise<ReadResourceResult>
  /**
   * Subscribes to changes of a resource, which the rules for reading it permit. Resolves when the server has agreed; rejects if it
   * does not offer that. Ends when the signal is aborted, or with the connection.
   */
  subscribe(server: string, uri: string, options: ResourceSubscription): Promise<void>
  /** What rules say about reading a resource, or the resources of a template, without asking anybody. */
  permissionFor(server: string, uri: string, options?: Pick<ServerRequestOptions, 'origin'>): CallPermission
  /** Completes a variable of a template. */
  complete(server: string, request: CompleteRequest, options?: ServerRequestOptions): Promise<Completion>
}

/** Prompts of all servers. */
export interface BridgePrompts {
  /** Lists the prompts of all running servers, by server and name. One stable array, changed in place. */
  list(options?: ListOptions): Promise<readonly ServerItem<Prompt>[]>
  /** Gets the messages of a prompt. Untrusted text. */
  get(
    server: string,
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: ServerRequestOptions,
  ): Promise<GetPromptResult>
  /** What rules say about getting a prompt without arguments, without asking anybody. */
  permissionFor(server: string, name: string, options?: Pick<ServerRequestOptions, 'origin'>): CallPermission
  /** Completes an argument of a prompt. */
  complete(server: string, request: CompleteRequest, options?: ServerRequestOptions): Promise<Completion>
}

/** Dependencies of resources and prompts. */
export interface ResourcesAndPromptsOptions {
  readonly origin: Origin
  readonly callTimeoutMs: number
  readonly upstreams: () => readonly Upstream[]
  readonly find: (server: string) => Upstream | undefined
  /** Resolves when a server that is being replaced can be used. */
  readonly replaced: (server: string, signal: AbortSignal | undefined) => Promise<void>
  readonly tell: (code: string, server: string, message: string) => void
  readonly requests: RequestJournal
  /** Applies the rules without asking anybody. */
  readonly decide: (subject: Subject, origin: Origin) => CallPermission
  /** Resolves if the request is permitted; rejects with a `DeniedError` otherwise. */
  readonly permit: (
    subject: Subject,
    args: Readonly<Record<string, string>>,
    caller: Caller,
    signal: AbortSignal | undefined,
  ) => Promise<unknown>
}

/** The resources and prompts of all servers. */
export class ResourcesAndPrompts {
  readonly resources: BridgeResources
  readonly prompts: BridgePrompts
  readonly #gatherings: readonly { show(): void }[]

  constructor(services: ResourcesAndPromptsOptions) {
    const resources = new MergedList<Resource>(
      services,
      ({ lists }) => lists.resources,
      ({ uri }) => uri,
    )
    const templates = new MergedList<ResourceTemplate>(
      services,
      ({ lists }) => lists.templates,
      ({ uriTemplate }) => uriTemplate,
    )
    const prompts = new MergedList<Prompt>(
      services,
      ({ lists }) => lists.prompts,
      ({ name }) => name,
    )
    this.#gatherings = [resources, templates, prompts]
    const ask = asker(services)
    const complete: BridgeResources['complete'] = (server, request, options) =>
      ask('completion/complete', referred(server, request.ref), {}, options, (client, asked) =>
        client.complete(request, asked),
      )
    this.resources = {
      list: (options) => resources.list(options),
      templates: (options) => templates.list(options),
      read: (server, uri, options) =>
        ask('resources/read', { namespace: 'resource', server, item: uri }, {}, options, (client, asked) =>
          client.readResource(uri, asked),
        ),
      subscribe: (server, uri, options) =>
        ask(
          'resources/subscribe',
          { namespace: 'resource', server, item: uri },
          {},
          options,
          (client, asked) => followResource(client, uri, { ...options, timeoutMs: asked.timeoutMs }),
        ),
      permissionFor: (server, uri, { origin = services.origin } = {}) =>
        permissionOf(services, { namespace: 'resource', server, item: uri }, origin),
      complete,
    }
    this.prompts = {
      list: (options) => prompts.list(options),
      get: (server, name, args, options) =>
        ask(
          'prompts/get',
          { namespace: 'prompt', server, item: name },
          args ?? {},
          options,
          (client, asked) => client.getPrompt(name, args, asked),
        ),
      permissionFor: (server, name, { origin = services.origin } = {}) =>
        permissionOf(services, { namespace: 'prompt', server, item: name }, origin),
      complete,
    }
  }

  /** Updates the arrays from the lists of the servers. */
  show(): void {
    for (const gathering of this.#gatherings) gathering.show()
  }
}

type Work<T> = (
  client: Parameters<Parameters<Upstream['use']>[2]>[0],
  asked: RequestOptions & { readonly timeoutMs: number },
) => Promise<T>

async function followResource(
  client: McpClient,
  uri: string,
  { onUpdate, onEnd = () => undefined, signal, timeoutMs = 0 }: ResourceSubscription,
): Promise<void> {
  const subscription = await client.subscribe({ resourceSubscriptions: [uri] }, onUpdate, {
    timeoutMs,
    onGap: onUpdate,
    onEnd,
    ...(signal === undefined ? {} : { signal }),
  })
  if (subscription.honoured.resourceSubscriptions !== undefined) return
  await subscription.close()
  throw new McpError('the server does not offer subscriptions to resources', {
    kind: 'unsupported',
    code: McpErrorCode.MethodNotFound,
  })
}

function permissionOf(
  { decide }: ResourcesAndPromptsOptions,
  subject: Subject,
  origin: Origin,
): CallPermission {
  const { verdict, reason } = decide(subject, origin)
  return { verdict, reason }
}

/** The subject of a completion. */
function referred(server: string, ref: CompleteRequest['ref']): Subject {
  return ref.type === 'ref/prompt'
    ? { namespace: 'prompt', server, item: ref.name }
    : { namespace: 'resource', server, item: ref.uri }
}

function asker(services: ResourcesAndPromptsOptions) {
  return async <T>(
    method: ObservedMethod,
    subject: Subject,
    args: Readonly<Record<string, string>>,
    options: ServerRequestOptions | undefined,
    work: Work<T>,
  ): Promise<T> => {
    const found = services.find(subject.server)
    if (found === undefined) throw unknownServer(subject.server)
    const { origin = services.origin, answerer, signal, timeoutMs } = options ?? {}
    const caller = { origin, answerer }
    const patience = timeoutMs ?? found.spec.timeouts?.callMs ?? services.callTimeoutMs
    const asked = { timeoutMs: patience, ...(signal === undefined ? {} : { signal }) }
    signal?.throwIfAborted()
    await services.permit(subject, args, caller, signal)
    await services.replaced(subject.server, signal)
    const upstream = services.find(subject.server) ?? found
    const request = { method, server: subject.server, item: subject.item, origin }
    return services.requests.follow(request, signal, (trace) =>
      upstream.use(caller, signal, (client, questions) => work(client, { ...asked, ...questions, ...trace })),
    )
  }
}

function unknownServer(server: string): McpError {
  const options = { kind: 'unsupported', code: McpErrorCode.InvalidParams } as const
  return new McpError(`there is no server "${server}"`, options)
}

/** The lists of all servers in one stable array. */
class MergedList<T> {
  readonly #services: ResourcesAndPromptsOptions
  readonly #listingOf: (upstream: Upstream) => Listing<T>
  readonly #keyOf: (definition: T) => string
  readonly #items: ServerItem<T>[] = []
  #isWanted = false

  constructor(
    services: ResourcesAndPromptsOptions,
    listingOf: (upstream: Upstream) => Listing<T>,
    keyOf: (definition: T) => string,
  ) {
    this.#services = services
    this.#listingOf = listingOf
    this.#keyOf = keyOf
  }

  async list({ signal }: ListOptions = {}): Promise<readonly ServerItem<T>[]> {
    this.#isWanted = true
    await abortable(Promise.all(this.#services.upstreams().map((upstream) => this.#read(upstream))), signal)
    this.show()
    return this.#items
  }

  show(): void {
    if (!this.#isWanted) return
    const all = this.#services
      .upstreams()
      .flatMap((upstream) =>
        this.#listingOf(upstream).items.map((definition) => ({ server: upstream.spec.name, definition })),
      )
    this.#items.length = all.length
    for (const [index, item] of all.toSorted((a, b) => this.#order(a, b)).entries()) this.#items[index] = item
  }

  async #read(upstream: Upstream): Promise<void> {
    try {
      await this.#listingOf(upstream).current()
    } catch (error) {
      const { name } = upstream.spec
      const reason = error instanceof Error ? error.message : String(error)
      this.#services.tell(
        'list_unread',
        name,
        `server "${name}": one of its lists could not be read: ${reason}`,
      )
    }
  }

  #order(a: ServerItem<T>, b: ServerItem<T>): number {
    if (a.server !== b.server) return a.server < b.server ? -1 : 1
    return this.#keyOf(a.definition) < this.#keyOf(b.definition) ? -1 : 1
  }
}
