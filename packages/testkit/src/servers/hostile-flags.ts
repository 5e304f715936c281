import { parseArgs } from 'node:util'

/** Misbehaviors of the hostile server. Flags can be combined. */
export interface HostileFlags {
  /** Writes a reason to stderr and exits with 3 before reading. */
  readonly 'crash-before-initialize'?: boolean
  /** Exits with 7 instead of answering a tool call. */
  readonly 'crash-mid-call'?: boolean
  /** Reads and never answers. */
  readonly silent?: boolean
  /** Starts reading after this many milliseconds. */
  readonly 'slow-start'?: string
  /** Writes noise, partial lines and CRLF around every message. */
  readonly garbage?: boolean
  /** Writes an invalid line of this many bytes before the response to a tool call. */
  readonly 'huge-line'?: string
  /** Sends 10,000 notifications before the response to a tool call. */
  readonly flood?: boolean
  /** Paginates tools without end. */
  readonly 'endless-pages'?: boolean
  /** Ignores the end of its input and SIGTERM. */
  readonly 'ignore-stop'?: boolean
  /** Starts a process behind a shell that outlives it. */
  readonly grandchild?: boolean
  /** Starts such a process in a separate session. */
  readonly setsid?: boolean
  /** Runs the server behind a launcher and a shell, as package runners do. */
  readonly wrapped?: boolean
  /** Sends every response twice. */
  readonly 'answers-twice'?: boolean
  /** Returns ids as strings. */
  readonly 'string-ids'?: boolean
  /** Responds to tool calls with an unknown id. */
  readonly 'wrong-ids'?: boolean
  /** Responds to tool calls with an error whose id is null. */
  readonly 'null-ids'?: boolean
  /** Stops reading after the handshake. */
  readonly 'stops-reading'?: boolean
  /** Closes stdout on the first tool call and keeps running. */
  readonly 'closes-stdout'?: boolean
  /** Writes to stderr endlessly, as fast as it is read. */
  readonly 'stderr-flood'?: boolean
}

const switchedOn = { type: 'boolean' } as const

export const flags: HostileFlags = parseArgs({
  options: {
    'crash-before-initialize': switchedOn,
    'crash-mid-call': switchedOn,
    silent: switchedOn,
    'slow-start': { type: 'string' },
    garbage: switchedOn,
    'huge-line': { type: 'string' },
    flood: switchedOn,
    'endless-pages': switchedOn,
    'ignore-stop': switchedOn,
    grandchild: switchedOn,
    setsid: switchedOn,
    wrapped: switchedOn,
    'answers-twice': switchedOn,
    'string-ids': switchedOn,
    'wrong-ids': switchedOn,
    'null-ids': switchedOn,
    'stops-reading': switchedOn,
    'closes-stdout': switchedOn,
    'stderr-flood': switchedOn,
  },
}).values
