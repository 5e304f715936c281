import type {
  McpClient,
  Prompt,
  Resource,
  ResourceTemplate,
  ServerCapabilities,
  Tool,
} from '@toolbridge/client'
import { abortable } from '@toolbridge/client/internal'
import type { Connection } from './connections/connection.ts'
import { Listing } from './listing.ts'

export type ListName = 'tools' | 'resources' | 'templates' | 'prompts'

export interface UpstreamListsOptions {
  /** Timeout for reading one list. */
  readonly timeoutMs: () => number
  readonly onRead: (list: ListName, count: number) => void
  readonly onFailed: (list: ListName, error: unknown) => void
  /** Called when the subscription to changes failed. */
  readonly onUntold: (error: unknown) => void
}

/** Timeout for the subscription to changes. A server that does not answer is used anyway. */
const agreeMs = 5_000

/** The lists of one server, read over the connection of the bridge's own origin. */
export class UpstreamLists {
  readonly tools: Listing<Tool>
  readonly resources: Listing<Resource>
  readonly templates: Listing<ResourceTemplate>
  readonly prompts: Listing<Prompt>
  readonly #options: UpstreamListsOptions
  #connection: Connection | undefined

  constructor(options: UpstreamListsOptions) {
    this.#options = options
    this.tools = this.#listing('tools', 'tools', (client, asked) => client.listTools(asked))
    this.resources = this.#listing('resources', 'resources', (client, asked) => client.listResources(asked))
    this.templates = this.#listing('templates', 'resources', (client, asked) =>
      client.listResourceTemplates(asked),
    )
    this.prompts = this.#listing('prompts', 'prompts', (client, asked) => client.listPrompts(asked))
  }

  /** Subscribes to changes and reads the tools over a new connection. Rejects when the tools cannot be read. */
  async open(connection: Connection, signal: AbortSignal): Promise<void> {
    this.#connection = connection
    this.#allChanged()
    // Before listing, so that no change is missed in between.
    if (tellsOfChanges(connection.description.capabilities)) await this.#subscribe(connection, signal)
    await abortable(this.tools.current(), signal)
  }

  /** Forgets the connection. The lists stay as last read. */
  disconnect(): void {
    this.#connection = undefined
  }

  stop(): void {
    for (const list of [this.tools, this.resources, this.templates, this.prompts]) list.stop()
  }

  async #subscribe(connection: Connection, signal: AbortSignal): Promise<void> {
    const wanted = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }
    const onGap = (): void => this.#allChanged()
    try {
      await connection.use((client) =>
        client.subscribe(wanted, (method) => this.#changed(method), { signal, onGap, timeoutMs: agreeMs }),
      )
    } catch (error) {
      signal.throwIfAborted()
      this.#options.onUntold(error)
    }
  }

  #changed(method: string): void {
    if (method === 'notifications/tools/list_changed') this.tools.changed()
    if (method === 'notifications/prompts/list_changed') this.prompts.changed()
    if (method === 'notifications/resources/list_changed') {
      this.resources.changed()
      this.templates.changed()
    }
  }

  #allChanged(): void {
    for (const list of [this.tools, this.resources, this.templates, this.prompts]) list.changed()
  }

  #listing<T>(
    name: ListName,
    capability: 'tools' | 'resources' | 'prompts',
    list: (client: McpClient, asked: { readonly timeoutMs: number }) => Promise<readonly T[]>,
  ): Listing<T> {
    return new Listing<T>({
      read: async () => {
        const connection = this.#connection
        if (connection === undefined) return undefined
        if (connection.description.capabilities[capability] === undefined) return []
        const timeoutMs = this.#options.timeoutMs()
        return connection.list((client) => list(client, { timeoutMs }))
      },
      onRead: (items) => this.#options.onRead(name, items.length),
      onFailed: (error) => this.#options.onFailed(name, error),
    })
  }
}

function tellsOfChanges({ tools, resources, prompts }: ServerCapabilities): boolean {
  return [tools, resources, prompts].some((offer) => offer?.listChanged === true)
}
