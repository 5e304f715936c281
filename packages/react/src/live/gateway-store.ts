import type {
  ActivityEntry,
  GatewayEvent,
  InboxItem,
  PromptSummary,
  ResourcesResponse,
  ServerStatus,
  StartedCall,
  ToolSummary,
} from '@toolbridge/api'
import { type EventStreamState, followEvents } from '../follow-events.ts'
import type { GatewayClient } from '../gateway-client.ts'
import { LiveValue } from './live-value.ts'

/** Something of a `GatewayStore` that can be read and followed. */
export interface LiveSource<T> {
  /** Returns the current snapshot. */
  readonly getSnapshot: () => T
  /** Calls `listener` on every change. Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Methods of the client that a `GatewayStore` uses. */
export type GatewayStoreClient = Pick<
  GatewayClient,
  'activity' | 'events' | 'inbox' | 'prompts' | 'resources' | 'servers' | 'startedCalls' | 'tools'
>

/** Calls that `activity` has at most. */
const maxActivityEntries = 200
/** The stream stays open while one page is replaced by another. */
const closeAfterMs = 1_000
/** Values are loaded when the stream begins, or without it if a proxy holds it back for longer. */
const longestWaitMs = 1_000

/** Creates a store. Sends nothing until something of it has a subscriber. */
export function createGatewayStore(client: GatewayStoreClient): GatewayStore {
  return new GatewayStore(client)
}

/**
 * What a person has at a gateway, shared by all subscribers: each value is loaded once and follows one event stream, which is
 * open while there are subscribers.
 */
export class GatewayStore {
  /** Status of every server. */
  readonly servers: LiveValue<readonly ServerStatus[]>
  /** Tools of the servers that are ready. */
  readonly tools: LiveValue<readonly ToolSummary[]>
  /** Open questions. */
  readonly inbox: LiveValue<readonly InboxItem[]>
  /** The latest 200 calls, newest first. */
  readonly activity: LiveValue<readonly ActivityEntry[]>
  /** Started calls that are running or ended recently, oldest first. */
  readonly calls: LiveValue<readonly StartedCall[]>
  /** Resources and their templates. */
  readonly resources: LiveValue<ResourcesResponse>
  /** Prompts. */
  readonly prompts: LiveValue<readonly PromptSummary[]>
  readonly #client: GatewayStoreClient
  readonly #listeners = new Set<() => void>()
  readonly #followers = new Set<(event: GatewayEvent) => void>()
  #state: EventStreamState = 'connecting'
  #watchers = 0
  #stream: AbortController | undefined
  /** Resolves when the stream that was opened last has begun or failed. */
  #opening: Promise<void> | undefined
  #closing: ReturnType<typeof setTimeout> | undefined

  constructor(client: GatewayStoreClient) {
    const ready = () => this.#opening
    const live = <T>(load: (signal: AbortSignal) => Promise<T>) =>
      new LiveValue({ load, watch: this.#watch, ready })
    this.#client = client
    this.servers = live(async (signal) => (await client.servers({ signal })).servers)
    this.tools = live(async (signal) => (await client.tools({ signal })).tools)
    this.inbox = live(async (signal) => (await client.inbox({ signal })).items)
    this.activity = live(async (signal) => (await client.activity({ signal })).entries)
    this.resources = live((signal) => client.resources({ signal }))
    this.prompts = live(async (signal) => (await client.prompts({ signal })).prompts)
    this.calls = live(async (signal) => (await client.startedCalls({ signal })).calls)
  }

  /** State of the event stream. */
  readonly connection: LiveSource<EventStreamState> = {
    getSnapshot: () => this.#state,
    subscribe: (listener) => {
      const unwatch = this.#watch()
      this.#listeners.add(listener)
      return () => {
        this.#listeners.delete(listener)
        unwatch()
      }
    },
  }

  /**
   * Calls `follower` for each event, for what the store does not keep. Load that again after each `hello`. Returns a function that
   * unsubscribes.
   */
  follow(follower: (event: GatewayEvent) => void): () => void {
    const unwatch = this.#watch()
    this.#followers.add(follower)
    return () => {
      this.#followers.delete(follower)
      unwatch()
    }
  }

  /** Opens the event stream again that ended because the token was rejected. Call it when there is a new token. */
  reconnect(): void {
    if (this.#watchers > 0) this.#stream ??= this.#open()
  }

  /** Forgets everything, for example when the person signs out. */
  clear(): void {
    for (const value of this.#values()) value.clear()
  }

  #values(): readonly Pick<LiveValue<unknown>, 'clear' | 'invalidate'>[] {
    return [this.servers, this.tools, this.inbox, this.activity, this.calls, this.resources, this.prompts]
  }

  readonly #watch = (): (() => void) => {
    this.#watchers += 1
    clearTimeout(this.#closing)
    this.#stream ??= this.#open()
    return () => {
      this.#watchers -= 1
      if (this.#watchers === 0) this.#closing = setTimeout(() => this.#close(), closeAfterMs)
    }
  }

  #open(): AbortController {
    const stream = new AbortController()
    const { signal } = stream
    const begun = onceOrAfter(longestWaitMs)
    this.#opening = begun.promise
    const onState = (state: EventStreamState): void => {
      if (state !== 'connecting') begun.resolve()
      if (!signal.aborted) this.#show(state)
    }
    followEvents(this.#client, { signal, onEvent: this.#apply, onState }).catch(() => {
      // The token was rejected: `reconnect` or the next subscriber tries again.
      if (this.#stream === stream) this.#stream = undefined
      onState('lost')
    })
    return stream
  }

  #close(): void {
    this.#stream?.abort()
    this.#stream = undefined
    // Events are missed from here on.
    for (const value of this.#values()) value.invalidate()
  }

  readonly #apply = (event: GatewayEvent): void => {
    this.#change(event)
    for (const follower of this.#followers) follower(event)
  }

  #change(event: GatewayEvent): void {
    switch (event.type) {
      case 'hello':
        for (const value of this.#values()) value.invalidate()
        return
      case 'inbox':
        return this.inbox.invalidate()
      case 'servers':
      case 'config':
        // Which servers are ready decides which resources and prompts there are.
        return [this.servers, this.resources, this.prompts].forEach((value) => value.invalidate())
      case 'tools':
        return this.tools.invalidate()
      case 'activity':
        return this.activity.change((entries) => withEntry(entries, event.entry))
      case 'resources':
        return this.resources.invalidate()
      case 'prompts':
        return this.prompts.invalidate()
      case 'call':
        return this.calls.change((calls) => withCall(calls, event.call))
      case 'host':
      case 'permissions':
      case 'resource':
        // Nothing here depends on them: followers of the events use them.
        return
    }
  }

  #show(state: EventStreamState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

function onceOrAfter(ms: number): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => {
    const timer = setTimeout(settle, ms)
    resolve = () => {
      clearTimeout(timer)
      settle()
    }
  })
  return { promise, resolve }
}

function withEntry(entries: readonly ActivityEntry[], entry: ActivityEntry): readonly ActivityEntry[] {
  if (entries.some(({ id }) => id === entry.id)) return entries
  return [entry, ...entries].slice(0, maxActivityEntries)
}

function withCall(calls: readonly StartedCall[], call: StartedCall): readonly StartedCall[] {
  if (!calls.some(({ id }) => id === call.id)) return [...calls, call]
  return calls.map((each) => (each.id === call.id ? call : each))
}
