import { type Invocation, wantsJson } from '../command.ts'
import { printJson } from '../terminal.ts'

/** Prints a result in the format of the command line: as JSON, or by a function as text. */
export function printResult(
  { options, terminal }: Pick<Invocation, 'options' | 'terminal'>,
  result: unknown,
  printText: () => void,
): void {
  if (wantsJson(options)) printJson(terminal, result, options['pretty'] === true)
  else printText()
}
