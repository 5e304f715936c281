import type { Implementation } from '@toolbridge/client'
import type { BridgeEvent } from '../events/events.ts'
import { Secrets } from './secrets.ts'

/** The secrets of a bridge, and their removal from its output. */
export class Redaction {
  /** Secrets of definitions: environment, headers, tokens, inputs. */
  readonly definitions: Secrets = new Secrets()
  /** Answers of people, removed from everything but questions. */
  readonly answers: Secrets = new Secrets()
  /** Redacted names by name: every call has one. */
  readonly #names = new Map<string, string>()
  #revision = -1

  /** Adds the values of an answer to the secrets. */
  answered(content: unknown): void {
    this.answers.keep(textsIn(content, 0))
  }

  text(text: string): string {
    return this.answers.mask(this.definitions.mask(text))
  }

  /** Like `text`, for names of tools, which come again and again. */
  name(name: string): string {
    const revision = this.definitions.revision + this.answers.revision
    if (revision !== this.#revision || this.#names.size >= maxNames) this.#names.clear()
    this.#revision = revision
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const told = this.text(name)
    this.#names.set(name, told)
    return told
  }

  /** Returns the event without secrets; the same object if there are none. */
  event(event: BridgeEvent): BridgeEvent {
    if ((this.definitions.isEmpty && this.answers.isEmpty) || this.#isHarmlessCall(event)) return event
    let redacted: BridgeEvent = event
    for (const field of foreignFields) {
      const value: unknown = Reflect.get(event, field)
      if (typeof value !== 'string') continue
      const told = field === 'tool' || field === 'rawName' ? this.name(value) : this.text(value)
      if (told !== value) redacted = { ...redacted, [field]: told }
    }
    return redacted
  }

  /** Returns the status with a redacted `serverInfo`, which the server controls. */
  status<S extends { readonly serverInfo?: Implementation }>(status: S): S {
    const { serverInfo } = status
    if (serverInfo === undefined) return status
    const told = Object.entries(serverInfo).map(([key, value]) => [key, this.#told(value)])
    return { ...status, serverInfo: { ...serverInfo, ...Object.fromEntries(told) } }
  }

  /** Events of successful calls contain no foreign text but names, which are cached. */
  #isHarmlessCall(event: BridgeEvent): boolean {
    if (event.type === 'call.started' || (event.type === 'call.finished' && event.error === undefined))
      return this.#isHarmless(event.tool) && this.#isHarmless(event.rawName)
    if (event.type === 'permission.decided')
      return this.#isHarmless(event.tool) && this.#isHarmless(event.reason)
    return false
  }

  #isHarmless(name: string): boolean {
    return this.name(name) === name
  }

  #told(value: unknown): unknown {
    return typeof value === 'string' ? this.text(value) : value
  }
}

const maxNames = 20_000
const maxDepth = 32

/** Event fields with foreign text; the others come from the bridge or the host. */
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
  // Such as an account or telephone number.
  if (typeof content === 'number') return [String(content)]
  if (depth > maxDepth || typeof content !== 'object' || content === null) return []
  return Object.values(content).flatMap((value) => textsIn(value, depth + 1))
}
