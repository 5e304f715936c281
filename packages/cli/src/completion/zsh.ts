import type { CompletionLevel } from './levels.ts'
import { shellParts } from './posix-case.ts'

/** The script for zsh. File names are completed where no word fits. */
export function zshCompletion(levels: readonly CompletionLevel[]): string {
  const { leading, known, byCommand, byOption } = shellParts(levels)
  // Named apart from the array `words` of zsh, which has the command line.
  const named = (branches: string): string => branches.replaceAll(' words=', ' choices=')
  return `#compdef toolbridge
# Completion of toolbridge for zsh. Load it after compinit with: source <(toolbridge completion zsh)
_toolbridge() {
  local command='' choices='' index next
  for ((index = 2; index < CURRENT; index++)); do
    next=\${words[index]}
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
${named(byCommand)}
  esac
  case \${words[CURRENT-1]} in
${named(byOption)}
  esac
  compadd -- \${=choices} || _files
}
compdef _toolbridge toolbridge
`
}
