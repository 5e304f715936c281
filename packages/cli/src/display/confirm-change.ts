import { printable } from '@toolbridge/client/internal'
import { colorsFor } from '../colors.ts'
import { isInteractive, printError, type Terminal } from '../terminal.ts'

/** Prints the lines of `describeChange` on stderr, in colors. */
export function printChange(lines: readonly string[], terminal: Terminal): void {
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
  return isAnsweredYes(terminal, { message })
}

/** Texts of a question and of its two answers. */
interface YesOrNo {
  readonly message: string
  /** Default: Yes. */
  readonly active?: string
  /** Default: No. */
  readonly inactive?: string
}

/** Asks at an interactive terminal. Escape, Ctrl-D and Enter are a no; Ctrl-C interrupts the command. */
export async function isAnsweredYes(terminal: Terminal, question: YesOrNo): Promise<boolean> {
  // Imported here: most commands ask nothing.
  const { confirm, isCancel } = await import('../prompts.ts')
  using typing = listenTo(terminal)
  const answer = await confirm({
    ...question,
    initialValue: false,
    output: terminal.stderr,
    signal: typing.ended,
  })
  terminal.signal.throwIfAborted()
  return !isCancel(answer) && answer
}

/** `ended` is aborted by Ctrl-C and by Ctrl-D: a prompt does not notice the end of the input itself. */
function listenTo(terminal: Terminal): Disposable & { readonly ended: AbortSignal } {
  const ended = new AbortController()
  const onKey = (_text: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }): void => {
    if (key?.ctrl !== true) return
    if (key.name === 'c') terminal.interrupt()
    if (key.name === 'd') ended.abort()
  }
  terminal.stdin.on('keypress', onKey)
  return {
    ended: AbortSignal.any([terminal.signal, ended.signal]),
    [Symbol.dispose]: () => void terminal.stdin.off('keypress', onKey),
  }
}
