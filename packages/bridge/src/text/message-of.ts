/** Returns the message of an error, or the thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A server decides what some messages quote. */
const maxLength = 4_000

/** Cuts a message that is kept or shown: one of a server may be as long as a message of the protocol. */
export function shortened(message: string): string {
  return message.length <= maxLength ? message : `${message.slice(0, maxLength - 1)}…`
}
