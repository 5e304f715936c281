import type { EntryReader } from '../fields/entry-reader.ts'
import type { RootContext } from './dialect.ts'

/** Disables servers by name, including servers of other files. */
export function turnOff(
  entries: readonly EntryReader[],
  names: readonly string[],
  { turnedOff }: RootContext,
): void {
  const off = new Set(names)
  for (const { server, specFields } of entries) if (off.has(server)) specFields.enabled = false
  for (const name of off) turnedOff.add(name)
}

/** Disables all servers that are not named, including servers of other files of the same host. */
export function enableOnly(
  entries: readonly EntryReader[],
  names: readonly string[],
  context: RootContext,
): void {
  const on = new Set(names)
  context.onlyEnabled = on
  turnOff(
    entries,
    entries.map(({ server }) => server).filter((name) => !on.has(name)),
    context,
  )
}
