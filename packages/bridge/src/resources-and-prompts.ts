import type {
  CompleteRequest,
  Completion,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  RequestOptions,
  Resource,
  ResourceTemplate,
} from '@toolbridge/client'
import { McpError, McpErrorCode } from '@toolbridge/client'
import { abortable } from '@toolbridge/client/internal'
import type { Origin } from './origin.ts'
import type { ObservedMethod } from './journal/events/events.ts'
import type { RequestJournal } from './journal/events/request-journal.ts'
import type { Subject } from './permission/rules/subject.ts'
import type { Listing } from './upstream/listing.ts'
import type { Upstream } from './upstream/upstream.ts'

/** Something that a server offers beside tools. */
export interface ServerItem<T> {
  readonly server: string
  readonly definition: T
}

export interface ListOptions {
  /** Aborting ends the wait, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

export interface ServerRequestOptions extends ListOptions {
  /** On whose behalf; the bridge's own origin unless told. */
  readonly origin?: Origin
  /** How long the server may be silent. */
  readonly timeoutMs?: number
}

/** What the servers let be read. A server that lists nothing in time is left out with a diagnostic. */
export interface BridgeResources {
  /**
   * The resources of every server that runs, by server and URI: one stable array, which is changed in place from the
   * first time on that somebody asked for it.
   */
  list(options?: ListOptions): Promise<readonly ServerItem<Resource>[]>
  /** The same for templates of URIs. */
  templates(options?: ListOptions): Promise<readonly ServerItem<ResourceTemplate>[]>
  read(server: string, uri: string, options?: ServerRequestOptions): Promise<ReadResourceResult>
  /** What a server proposes for a variable of a template. */
  complete(server: string, request: CompleteRequest, options?: ServerRequestOptions): Promise<Completion>
}

/** The prompts that the servers offer. */
export interface BridgePrompts {
  /** The prompts of every server that runs, by server and name: one stable array, as with resources. */
  list(options?: ListOptions): Promise<readonly ServerItem<Prompt>[]>
  /** The messages of a prompt, filled in. Untrusted text. */
  get(
    server: string,
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: ServerRequestOptions,
  ): Promise<GetPromptResult>
  /** What a server proposes for an argument of a prompt. */
  complete(server: string, request: CompleteRequest, options?: ServerRequestOptions): Promise<Completion>
}

/** What the offers need of their bridge. */
export interface ResourcesAndPromptsOptions {
  readonly origin: Origin
  readonly callTimeoutMs: number
  readonly upstreams: () => readonly Upstream[]
  readonly find: (server: string) => Upstream | undefined
  readonly tell: (code: string, server: string, message: string) => void
  readonly requests: RequestJournal
  /** Resolves when that may be read; rejects with a `DeniedError` otherwise. */
  readonly permit: (
    subject: Subject,
    args: Readonly<Record<string, string>>,
    origin: Origin,
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
      complete,
    }
  }

  /** Brings the arrays up to date with what the servers listed. */
  show(): void {
    for (const gathering of this.#gatherings) gathering.show()
  }
}

type Work<T> = (
  client: Parameters<Parameters<Upstream['use']>[2]>[0],
  asked: RequestOptions & { readonly timeoutMs: number },
) => Promise<T>

/** What a completion is about. */
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
    const upstream = services.find(subject.server)
    if (upstream === undefined) throw unknownServer(subject.server)
    const { origin = services.origin, signal, timeoutMs } = options ?? {}
    const patience = timeoutMs ?? upstream.spec.timeouts?.callMs ?? services.callTimeoutMs
    const asked = { timeoutMs: patience, ...(signal === undefined ? {} : { signal }) }
    signal?.throwIfAborted()
    await services.permit(subject, args, origin, signal)
    const request = { method, server: subject.server, item: subject.item, origin }
    return services.requests.follow(request, signal, (trace) =>
      upstream.use(origin, signal, (client, questions) => work(client, { ...asked, ...questions, ...trace })),
    )
  }
}

function unknownServer(server: string): McpError {
  const options = { kind: 'unsupported', code: McpErrorCode.InvalidParams } as const
  return new McpError(`there is no server "${server}"`, options)
}

/** One list made of every server's, in one array for the life of the bridge. */
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
