import { parseArgs } from 'node:util'

/** How the hostile server misbehaves; flags may be combined. */
export interface HostileFlags {
  /** Says why on standard error and exits with 3 before it reads anything. */
  readonly 'crash-before-initialize'?: boolean
  /** Exits with 7 instead of answering a tool call. */
  readonly 'crash-mid-call'?: boolean
  /** Reads and never answers. */
  readonly silent?: boolean
  /** Begins to read only after so many milliseconds. */
  readonly 'slow-start'?: string
  /** Noise, half lines and Windows line ends around every message. */
  readonly garbage?: boolean
  /** A line of so many bytes that is no message before the answer of a tool call. */
  readonly 'huge-line'?: string
  /** Ten thousand notifications before the answer of a tool call. */
  readonly flood?: boolean
  /** A list of tools that never ends. */
  readonly 'endless-pages'?: boolean
  /** Lives on after the end of its input and SIGTERM. */
  readonly 'ignore-stop'?: boolean
  /** Starts a process behind a shell that outlives it. */
  readonly grandchild?: boolean
  /** Starts such a process in a session of its own. */
  readonly setsid?: boolean
  /** Runs the server behind a launcher and a shell, as package runners do. */
  readonly wrapped?: boolean
  /** Every answer comes twice. */
  readonly 'answers-twice'?: boolean
  /** Ids come back as strings. */
  readonly 'string-ids'?: boolean
  /** Tool calls are answered under an id that nobody used. */
  readonly 'wrong-ids'?: boolean
  /** Tool calls are answered by an error whose id is null. */
  readonly 'null-ids'?: boolean
  /** Reads nothing any more once it answered the handshake. */
  readonly 'stops-reading'?: boolean
  /** Closes its standard output on the first tool call and lives on. */
  readonly 'closes-stdout'?: boolean
  /** Writes to standard error for ever, as fast as it is read. */
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
