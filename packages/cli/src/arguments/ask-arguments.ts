import type { BridgeTool } from '@toolbridge/bridge'
import { printable } from '@toolbridge/client/internal'
import { printError, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { argumentForm } from './argument-form.ts'
import { type ArgumentTarget, callArguments, usableArguments } from './call-arguments.ts'
import type { GivenArguments } from './given-arguments.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Asks for the arguments of a tool by a form in the terminal, until they are valid. The form is filled in with those that
 * were given.
 */
export async function askArguments(
  { name, definition }: BridgeTool,
  given: GivenArguments,
  target: ArgumentTarget,
  terminal: Terminal,
): Promise<Values> {
  const { askTerminalForm } = await import('@toolbridge/bridge/terminal')
  let known = usableArguments(given, target)
  for (;;) {
    const form = argumentForm(target.schema, known)
    const answer = await askTerminalForm(
      {
        schema: form.schema,
        title: `Arguments of ${printable(name)}`,
        message: definition.description ?? definition.title ?? '',
        confirm: `Call ${printable(name)}?`,
      },
      { output: terminal.stderr, onInterrupt: () => terminal.interrupt(), signal: terminal.signal },
    )
    terminal.signal.throwIfAborted()
    if (answer.action !== 'accept') throw new DOMException('the call was not made', 'AbortError')
    const filledIn = form.given(answer.content ?? {})
    try {
      return callArguments(filledIn, target)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      for (const line of [error.message, ...error.lines]) printError(terminal, printable(line))
      known = usableArguments(filledIn, target)
    }
  }
}
