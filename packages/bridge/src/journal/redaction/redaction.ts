import type { Implementation } from '@toolbridge/client'
import type { BridgeEvent } from '../events/events.ts'
import { Secrets } from './secrets.ts'

/** What a bridge must not tell. */
export class Redaction {
  /** What definitions hand to their servers: environment, headers, tokens, inputs. */
  readonly definitions: Secrets = new Secrets()
  /** What people answered. They may be shown it again, so it is taken out of everything but questions. */
  readonly answers: Secrets = new Secrets()
  /** Names of tools as they are told, since every call has one. */
  readonly #names = new Map<string, string>()
  #revision = -1

  /** A person answered a server: their words are nobody else's business. */
  answered(content: unknown): void {
    this.answers.keep(textsIn(content, 0))
  }

  text(text: string): string {
    return this.answers.mask(this.definitions.mask(text))
  }

  /** The event without secrets: the same one where there are none. */
  event(event: BridgeEvent): BridgeEvent {
    if ((this.definitions.isEmpty && this.answers.isEmpty) || this.#isHarmlessCall(event)) return event
    let redacted: BridgeEvent = event
    for (const field of foreignFields) {
      const value: unknown = Reflect.get(event, field)
      if (typeof value !== 'string') continue
      const told = field === 'tool' || field === 'rawName' ? this.#name(value) : this.text(value)
      if (told !== value) redacted = { ...redacted, [field]: told }
    }
    return redacted
  }

  /** What is known of a server: it says itself what it is called. */
  status<S extends { readonly serverInfo?: Implementation }>(status: S): S {
    const { serverInfo } = status
    if (serverInfo === undefined) return status
    const told = Object.entries(serverInfo).map(([key, value]) => [key, this.#told(value)])
    return { ...status, serverInfo: { ...serverInfo, ...Object.fromEntries(told) } }
  }

  /** The events of every call that goes well hold nothing foreign but names, which are looked at once. */
  #isHarmlessCall(event: BridgeEvent): boolean {
    if (event.type === 'call.started' || (event.type === 'call.finished' && event.error === undefined))
      return this.#isHarmless(event.tool) && this.#isHarmless(event.rawName)
    if (event.type === 'permission.decided')
      return this.#isHarmless(event.tool) && this.#isHarmless(event.reason)
    return false
  }

  #isHarmless(name: string): boolean {
    return this.#name(name) === name
  }

  #name(name: string): string {
    const revision = this.definitions.revision + this.answers.revision
    if (revision !== this.#revision || this.#names.size >= maxNames) this.#names.clear()
    this.#revision = revision
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const told = this.text(name)
    this.#names.set(name, told)
    return told
  }

  #told(value: unknown): unknown {
    return typeof value === 'string' ? this.text(value) : value
  }
}

const maxNames = 20_000
const maxDepth = 32

/** What others wrote, or may have: the rest of an event is the bridge's own, or the host's. */
const foreignFields = [
  'tool',
  'rawName',
  'item',
  'error',
  'message',
  'reason',
  'logger',
  'serverName',
  'serverVersion',
] as const

function textsIn(content: unknown, depth: number): readonly string[] {
  if (typeof content === 'string') return [content]
  // The number of an account, or of a telephone.
  if (typeof content === 'number') return [String(content)]
  if (depth > maxDepth || typeof content !== 'object' || content === null) return []
  return Object.values(content).flatMap((value) => textsIn(value, depth + 1))
}
