import type { EntryReader } from '../fields/entry-reader.ts'
import type { RootContext } from './dialect.ts'

/** Turns servers off that a list of the document names, whether they are defined in it or elsewhere. */
export function turnOff(
  entries: readonly EntryReader[],
  names: readonly string[],
  { turnedOff }: RootContext,
): void {
  const off = new Set(names)
  for (const { server, specFields } of entries) if (off.has(server)) specFields.enabled = false
  for (const name of off) turnedOff.add(name)
}

/** Turns everything off that a list of the document does not name, also where another file of the same host defines it. */
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
