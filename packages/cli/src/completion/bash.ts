import type { CompletionLevel } from './levels.ts'
import { type Shell, shellFunction } from './shell-function.ts'

const bash: Shell = {
  words: 'COMP_WORDS',
  first: 1,
  current: 'COMP_CWORD',
  offer: `COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
}

/** The script for bash. File names are completed where no word fits. */
export function bashCompletion(levels: readonly CompletionLevel[]): string {
  return `# Completion of toolbridge for bash. Load it with: source <(toolbridge completion bash)
${shellFunction(levels, bash)}
complete -o default -F _toolbridge toolbridge
`
}
