import type { Bridge, ServerItem } from '@toolbridge/bridge'
import type { Invocation } from '../command.ts'
import { printGrouped } from '../display/print-grouped.ts'
import { printResult } from '../display/print-result.ts'
import type { ExitCode } from '../exit-code.ts'
import { openSelected, reportFailures } from './selected-servers.ts'

/** What a command lists. */
interface Listing<T> {
  /** Name of the list in JSON. */
  readonly key: string
  readonly itemsOf: (bridge: Bridge) => Promise<readonly ServerItem<T>[]>
  /** An item as a line of text. */
  readonly lineOf: (definition: T) => string
}

/** Prints the items of the selected servers, as text or JSON. */
export async function listItems<T>(
  invocation: Invocation,
  { key, itemsOf, lineOf }: Listing<T>,
): Promise<ExitCode> {
  const { terminal } = invocation
  await using bridge = await openSelected(invocation)
  const items = await itemsOf(bridge)
  const listed = items.map(({ server, definition }) => ({ server, ...definition }))
  printResult(invocation, { [key]: listed }, () => printGrouped(terminal, items, lineOf))
  return reportFailures(bridge.status(), terminal)
}
