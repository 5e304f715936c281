import type {
  ServerHistoryEntry,
  ServerLogEntries,
  ServerLogEvent,
  ServerMessage,
  ServerOutputLine,
} from '@toolbridge/api'
import type { BridgeConnection, BridgeMessage, ServerObserver } from '@toolbridge/bridge'

const maxHistory = 50
const maxLines = 500
const maxMessages = 300
/** Characters of all messages that are kept. */
const maxMessageLength = 2 ** 20
/** Characters of one message. */
const maxTextLength = 2 ** 16
/** What is new is sent at most this often. */
const flushMs = 100
/** What was read is kept for a page that is loaded again. */
const keepMs = 30_000

/** Called with what a log has, and then with what is new. */
export type LogListener = (event: ServerLogEvent) => void

/** Observes the server of a log until it is disposed. */
export type Observe = (observer: ServerObserver) => Disposable

/** The log of one server. Its standard error and messages are observed only while it is followed. */
export class ServerLog {
  readonly #kept = noEntries()
  #fresh = noEntries()
  readonly #listeners = new Set<LogListener>()
  #observation: Disposable | undefined
  readonly #connections = new Map<BridgeConnection, number>()
  #flushing: ReturnType<typeof setTimeout> | undefined
  #leaving: ReturnType<typeof setTimeout> | undefined
  #number = 0

  /** Whether the log is followed. */
  get isFollowed(): boolean {
    return this.#listeners.size > 0
  }

  /** Adds a change of the state. */
  changed(event: ServerHistoryEntry['event'], error: string | undefined, at: Date): void {
    const entry = { ...this.#next(at), event, ...(error === undefined ? {} : { error }) }
    this.#add('history', entry)
  }

  /** Sends the log to a listener until the returned function is called. */
  follow(observe: Observe, listener: LogListener): () => void {
    clearTimeout(this.#leaving)
    this.#observation ??= observe({
      onMessage: (message) => this.#add('messages', this.#messageOf(message)),
      onStderr: (line) => this.#add('stderr', this.#lineOf(line)),
    })
    this.#flush()
    listener({ type: 'begin', ...copyOf(this.#kept) })
    this.#listeners.add(listener)
    return () => {
      if (this.#listeners.delete(listener) && !this.isFollowed)
        this.#leaving = setTimeout(() => this.#forget(), keepMs).unref()
    }
  }

  close(): void {
    clearTimeout(this.#leaving)
    this.#forget()
  }

  #forget(): void {
    clearTimeout(this.#flushing)
    this.#flushing = undefined
    this.#observation?.[Symbol.dispose]()
    this.#observation = undefined
    this.#connections.clear()
    this.#kept.stderr = []
    this.#kept.messages = []
    this.#fresh = noEntries()
  }

  #add<K extends keyof Entries>(kind: K, entry: Entries[K][number]): void {
    for (const { [kind]: list } of [this.#kept, this.#fresh]) (list as (typeof entry)[]).push(entry)
    this.#flushing ??= setTimeout(() => this.#flush(), flushMs).unref()
  }

  #flush(): void {
    clearTimeout(this.#flushing)
    this.#flushing = undefined
    shorten(this.#kept)
    shorten(this.#fresh)
    const fresh = this.#fresh
    this.#fresh = noEntries()
    for (const listener of this.#listeners) listener({ type: 'more', ...fresh })
  }

  #messageOf({ connection, direction, id, method, text }: BridgeMessage): ServerMessage {
    const isShortened = text.length > maxTextLength
    return {
      ...this.#next(new Date()),
      connection: this.#numberOf(connection),
      direction,
      ...(id === undefined ? {} : { id }),
      ...(method === undefined ? {} : { method }),
      bytes: Buffer.byteLength(text),
      text: isShortened ? beginningOf(text) : text,
      ...(isShortened ? { isShortened } : {}),
    }
  }

  /** The lines that the observation begins with were written at an unknown time. */
  #lineOf(text: string): ServerOutputLine {
    const { number, at } = this.#next(new Date())
    return { number, ...(this.#observation === undefined ? {} : { at }), text }
  }

  #numberOf(connection: BridgeConnection): number {
    const number = this.#connections.get(connection) ?? this.#connections.size + 1
    this.#connections.set(connection, number)
    return number
  }

  #next(at: Date): { readonly number: number; readonly at: string } {
    this.#number += 1
    return { number: this.#number, at: at.toISOString() }
  }
}

/** A copy: a slice would keep the whole text in memory. */
function beginningOf(text: string): string {
  return Buffer.from(text.slice(0, maxTextLength)).toString()
}

interface Entries {
  history: ServerHistoryEntry[]
  stderr: ServerOutputLine[]
  messages: ServerMessage[]
}

function noEntries(): Entries {
  return { history: [], stderr: [], messages: [] }
}

function copyOf({ history, stderr, messages }: Entries): ServerLogEntries {
  return { history: [...history], stderr: [...stderr], messages: [...messages] }
}

/** Removes the oldest entries beyond the limits. */
function shorten(entries: Entries): void {
  entries.history = entries.history.slice(-maxHistory)
  entries.stderr = entries.stderr.slice(-maxLines)
  entries.messages = fitting(entries.messages.slice(-maxMessages))
}

/** The latest messages that are not too long together. */
function fitting(messages: readonly ServerMessage[]): ServerMessage[] {
  let length = 0
  const first = messages.findLastIndex(({ text }) => {
    length += text.length
    return length > maxMessageLength
  })
  return messages.slice(first + 1)
}
