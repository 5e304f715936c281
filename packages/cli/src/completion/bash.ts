import type { CompletionLevel } from './levels.ts'
import { shellParts } from './posix-case.ts'

/** The script for bash. File names are completed where no word fits. */
export function bashCompletion(levels: readonly CompletionLevel[]): string {
  const { leading, known, byCommand, byOption } = shellParts(levels)
  return `# Completion of toolbridge for bash. Load it with: source <(toolbridge completion bash)
_toolbridge() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' words='' index next
  for ((index = 1; index < COMP_CWORD; index++)); do
    next=\${COMP_WORDS[index]}
    case $next in
      ${leading}) ((index++)); continue ;;
      -*) continue ;;
    esac
    next=\${command:+$command }$next
    case $next in
      ${known}) command=$next ;;
      *) break ;;
    esac
  done
  case $command in
${byCommand}
  esac
  case $previous in
${byOption}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _toolbridge toolbridge
`
}
