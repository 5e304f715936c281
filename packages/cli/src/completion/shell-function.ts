import { type CompletionLevel, leadingOptions, optionValues } from './levels.ts'

/** What differs between bash and zsh. */
export interface Shell {
  /** Name of the array with the words of the command line. */
  readonly words: string
  /** Index of the word after the name of the command. */
  readonly first: number
  /** Variable with the index of the word to complete. */
  readonly current: string
  /** Offers the words in `$choices`. */
  readonly offer: string
}

/** A function that completes a command line. Names contain letters, dashes and spaces only. */
export function shellFunction(
  levels: readonly CompletionLevel[],
  { words, first, current, offer }: Shell,
): string {
  const known = levels.map(({ command }) => `'${command}'`).filter((command) => command !== "''")
  return `_toolbridge() {
  local command='' choices='' index next
  for ((index = ${first}; index < ${current}; index++)); do
    next=\${${words}[index]}
    case $next in
      ${leadingOptions.join('|')}) ((index++)); continue ;;
      -*) continue ;;
    esac
    next=\${command:+$command }$next
    case $next in
      ${known.join('|')}) command=$next ;;
      *) break ;;
    esac
  done
  case $command in
${levels.map(branchOf).join('\n')}
  esac
  case \${${words}[${current}-1]} in
${Object.entries(optionValues)
  .map(([option, values]) => `    ${option}) choices='${values.join(' ')}' ;;`)
  .join('\n')}
  esac
  ${offer}
}`
}

function branchOf({ command, commands, options }: CompletionLevel): string {
  const choices = [...commands.map(({ name }) => name), ...options].join(' ')
  return `    '${command}') choices='${choices}' ;;`
}
