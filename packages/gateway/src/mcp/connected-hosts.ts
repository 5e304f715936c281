import type { Server } from '@modelcontextprotocol/server'
import type { ConnectedHost } from '@toolbridge/api'
import type { EventHub } from '../activity/event-hub.ts'
import { hostName } from './host-name.ts'

/** Hosts that are kept per person, and conversations whose host is known. */
const maxHosts = 50
const maxConversations = 10_000
/** A host of the modern era has no session: only a request after a pause says that it is there again. */
const pauseMs = 10_000

/** The MCP hosts that used the endpoint since the gateway started, by the names that they gave themselves. */
export class ConnectedHosts {
  readonly #events: EventHub
  readonly #hosts = new Map<string, Map<string, Date>>()
  readonly #conversations = new Map<string, string>()

  constructor(events: EventHub) {
    this.#events = events
  }

  /** Takes note of a request in a conversation, and tells open pages when the host has connected. */
  seen(principal: string, conversation: string, server: Server): void {
    const name = hostName(server)
    if (name === undefined) return
    const isNew = this.#conversations.get(conversation) !== name
    remember(this.#conversations, conversation, name, maxConversations)
    const hosts = this.#hosts.get(principal) ?? new Map<string, Date>()
    this.#hosts.set(principal, hosts)
    const before = hosts.get(name)
    const at = new Date()
    remember(hosts, name, at, maxHosts)
    if (isNew && (before === undefined || at.getTime() - before.getTime() > pauseMs))
      this.#events.publish(principal, { type: 'host', host: { name, lastSeenAt: at.toISOString() } })
  }

  /** The name of the host of a conversation. Undefined if it is none of a host, or too old. */
  readonly nameOf = (conversation: string): string | undefined => this.#conversations.get(conversation)

  /** The hosts of a person, most recently seen first. */
  list(principal: string): readonly ConnectedHost[] {
    const hosts = [...(this.#hosts.get(principal) ?? [])].toReversed()
    return hosts.map(([name, at]) => ({ name, lastSeenAt: at.toISOString() }))
  }
}

/** Sets the newest entry of a map, and removes the oldest if there are too many. */
function remember<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}
