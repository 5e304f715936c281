import { printable } from '@toolbridge/client/internal'

/** A registry cannot be reached, or its response cannot be used. Nothing was written. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
}

/** A text of a registry for a message: one line without control characters. */
export function shown(text: string): string {
  return printable(text, { maxLength: 200 })
}
