import { colorsFor } from '../colors.ts'
import { printable } from '../printable.ts'
import { isInteractive, printError, type Terminal } from '../terminal.ts'

/** Prints the lines of `lineDiff` on stderr, in colors. */
export function printDiff(lines: readonly string[], terminal: Terminal): void {
  const colors = colorsFor(terminal, terminal.stderr)
  for (const line of lines) {
    const paint = line.startsWith('+') ? colors.green : line.startsWith('-') ? colors.red : colors.dim
    printError(terminal, paint(printable(line)))
  }
}

/** Asks whether to make a change that was printed. Without a terminal, prints the option that makes it. */
export function isChangeConfirmed(terminal: Terminal): Promise<boolean> {
  return isConfirmed(terminal, {
    message: 'Make this change?',
    withoutTerminal: 'not changed; add --yes to make the change',
  })
}

/** Asks at the terminal. Without one, prints what to do instead, and the answer is no. */
export async function isConfirmed(
  terminal: Terminal,
  { message, withoutTerminal }: { readonly message: string; readonly withoutTerminal: string },
): Promise<boolean> {
  if (!isInteractive(terminal)) {
    printError(terminal, `toolbridge: ${withoutTerminal}`)
    return false
  }
  // Imported here: most commands ask nothing.
  const { confirm, isCancel } = await import('../prompts.ts')
  const answer = await confirm({
    message,
    initialValue: false,
    output: terminal.stderr,
    signal: terminal.signal,
  })
  terminal.signal.throwIfAborted()
  return !isCancel(answer) && answer
}
