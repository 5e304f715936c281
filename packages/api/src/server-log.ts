import type { ServerState } from './servers.ts'

/** A change of the state of a server. */
export interface ServerHistoryEntry {
  /** Number of the entry in the log. */
  readonly number: number
  /** Time of the change. */
  readonly at: string
  /** The new state. `restart`: the owner asked for a restart. `replaced`: the server before it has stopped. */
  readonly event: ServerState | 'restart' | 'replaced'
  /** Why the server is in this state. May contain text of the server: untrusted. */
  readonly error?: string
}

/** A line of the standard error of a server. */
export interface ServerOutputLine {
  /** Number of the line in the log. */
  readonly number: number
  /** Time of its arrival. Omitted for what was written before the log was followed. */
  readonly at?: string
  /** The line without secrets. Untrusted text. */
  readonly text: string
}

/** A JSON-RPC message between the gateway and a server. */
export interface ServerMessage {
  /** Number of the message in the log. */
  readonly number: number
  /** Time of the message. */
  readonly at: string
  /** Number of the connection: a server can have several. */
  readonly connection: number
  /** Whether the gateway sent or received it. */
  readonly direction: 'sent' | 'received'
  /** Id of a request, or of the request that it answers. */
  readonly id?: number | string
  /** Method of a request or notification. Untrusted text. */
  readonly method?: string
  /** Size of the whole message in bytes. */
  readonly bytes: number
  /** The message as JSON, without secrets. Untrusted text. */
  readonly text: string
  /** Present if `text` is only the beginning of the message. */
  readonly isShortened?: true
}

/** Entries of the log of a server, oldest first. */
export interface ServerLogEntries {
  /** Changes of the state since the gateway opened the servers of this person. */
  readonly history: readonly ServerHistoryEntry[]
  /** Lines of the standard error. */
  readonly stderr: readonly ServerOutputLine[]
  /** Messages since the log is followed. */
  readonly messages: readonly ServerMessage[]
}

/**
 * An event of the stream `GET /api/servers/:name/log`, sent as JSON in `data`. The first is `begin`, with what is kept; each
 * `more` has what is new.
 */
export type ServerLogEvent =
  | ({ readonly type: 'begin' } & ServerLogEntries)
  | ({ readonly type: 'more' } & ServerLogEntries)
