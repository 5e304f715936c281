import type { ServerItem } from '@toolbridge/bridge'
import { printable } from '@toolbridge/client/internal'
import { colorsFor } from '../colors.ts'
import { print, type Terminal } from '../terminal.ts'
import { widthOf, wrapText } from './text-width.ts'

/** Prints a line per item, below the name of its server. */
export function printGrouped<T>(
  terminal: Terminal,
  items: readonly ServerItem<T>[],
  lineOf: (definition: T) => string,
): void {
  const colors = colorsFor(terminal, terminal.stdout)
  const width = widthOf(terminal.stdout)
  for (const server of new Set(items.map((item) => item.server))) {
    print(terminal, colors.cyan(printable(server)))
    for (const { definition } of items.filter((item) => item.server === server))
      for (const line of wrapText(firstLine(lineOf(definition)), 2, width)) print(terminal, line)
  }
}

function firstLine(text: string): string {
  const [first = ''] = printable(text, { keepLines: true }).split('\n')
  return first.trimEnd()
}
