import type { CompletionLevel } from './levels.ts'
import { type Shell, shellFunction } from './shell-function.ts'

const zsh: Shell = {
  words: 'words',
  first: 2,
  current: 'CURRENT',
  offer: 'compadd -- ${=choices} || _files',
}

/** The script for zsh. File names are completed where no word fits. */
export function zshCompletion(levels: readonly CompletionLevel[]): string {
  return `#compdef toolbridge
# Completion of toolbridge for zsh. Load it after compinit with: source <(toolbridge completion zsh)
${shellFunction(levels, zsh)}
compdef _toolbridge toolbridge
`
}
