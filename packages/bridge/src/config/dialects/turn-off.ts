import type { DocumentLocation } from '../documents/config-document.ts'
import type { EntryReader } from '../fields/entry-reader.ts'
import type { RootContext } from './dialect.ts'

/** Disables servers by name, including servers of other files. `list` is the field that names them. */
export function turnOff(
  entries: readonly EntryReader[],
  names: readonly string[],
  { turnedOff }: RootContext,
  list: DocumentLocation | undefined,
): void {
  const off = new Set(names)
  for (const { server, specFields } of entries) if (off.has(server)) specFields.enabled = false
  for (const name of off) if (!turnedOff.has(name)) turnedOff.set(name, list)
}

/** Disables all servers that `list` does not name, including servers of other files of the same host. */
export function enableOnly(
  entries: readonly EntryReader[],
  names: readonly string[],
  context: RootContext,
  list: DocumentLocation | undefined,
): void {
  const on = new Set(names)
  context.onlyEnabled = { names: on, list }
  turnOff(
    entries,
    entries.map(({ server }) => server).filter((name) => !on.has(name)),
    context,
    list,
  )
}
