/** Errors quote what was sent. */
const maxLength = 4_096

/** Cuts the message of an error that quotes megabytes. */
export function shortened(message: string): string {
  return message.length <= maxLength ? message : `${message.slice(0, maxLength)}…`
}
