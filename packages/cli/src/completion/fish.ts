import { type CompletionLevel, leadingOptions, optionValues } from './levels.ts'

/** The script for fish. File names are completed where no word fits. */
export function fishCompletion(levels: readonly CompletionLevel[]): string {
  const known = levels.map(({ command }) => quoted(command)).join(' ')
  return `# Completion of toolbridge for fish. Load it with: toolbridge completion fish | source
function __toolbridge_command_is
  set -l command ''
  set -l skips_value 0
  for word in (commandline -opc)[2..]
    if test $skips_value = 1
      set skips_value 0
      continue
    end
    switch $word
      case ${leadingOptions.join(' ')}
        set skips_value 1
        continue
      case '-*'
        continue
    end
    set -l next (string trim "$command $word")
    contains -- $next ${known}; or break
    set command $next
  end
  test "$command" = "$argv[1]"
end
${levels.flatMap(linesOf).join('\n')}
`
}

function linesOf({ command, commands, options }: CompletionLevel): readonly string[] {
  const start = `complete -c toolbridge -n "__toolbridge_command_is ${quoted(command)}"`
  return [
    ...commands.map(({ name, summary }) => `${start} -f -a ${name} -d ${quoted(summary)}`),
    ...options.map((option) => `${start} -l ${option.slice(2)}${valuesOf(option)}`),
  ]
}

function valuesOf(option: string): string {
  const values = optionValues[option]
  return values === undefined ? '' : ` -x -a ${quoted(values.join(' '))}`
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
}
