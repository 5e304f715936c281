import type { Action, Command } from '../command.ts'
import { bashCompletion } from '../completion/bash.ts'
import { completionLevels, type CompletionLevel } from '../completion/levels.ts'
import { fishCompletion } from '../completion/fish.ts'
import { zshCompletion } from '../completion/zsh.ts'
import { didYouMean } from '../did-you-mean.ts'
import { ExitCode } from '../exit-code.ts'
import { UsageError } from '../usage-error.ts'

const shells: Readonly<Record<string, (levels: readonly CompletionLevel[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** Returns the action for these commands. */
export function printCompletion(commands: readonly Command[]): Action {
  return ({ positionals: [shell], terminal }) => {
    const script = shells[shell ?? '']
    if (script === undefined) throw new UsageError(unknownShell(shell))
    terminal.stdout.write(script(completionLevels(commands)))
    return Promise.resolve(ExitCode.Ok)
  }
}

function unknownShell(shell: string | undefined): string {
  const help = 'See: toolbridge completion --help'
  if (shell === undefined) return `missing shell: bash, zsh or fish. ${help}`
  return `unknown shell "${shell}": expected bash, zsh or fish.${didYouMean(shell, Object.keys(shells))} ${help}`
}
