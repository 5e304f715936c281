/** The first thing that the command interpreter of Windows does with a line. Throws where it would find a variable. */
export function putVariablesInPlace(line: string): string {
  // A `%` alone, and no characters of the current folder.
  const parts = line.split('%%cd:~,%')
  if (parts.some((part) => part.includes('%'))) throw new Error(`there may be a variable in ${line}`)
  return parts.join('%')
}

/**
 * What it then makes of the line: carets taken away outside of quotes. Throws where it would do
 * more than start one program: where a separator or a redirection stands bare.
 */
export function readLine(line: string): string {
  let isQuoted = false
  let text = ''
  for (let index = 0; index < line.length; index++) {
    const character = line[index] ?? ''
    if (character === '^' && !isQuoted) {
      text += line[++index] ?? ''
      continue
    }
    if (character === '"') isQuoted = !isQuoted
    if (!isQuoted && '&|<>()'.includes(character)) throw new Error(`${character} stands bare in ${line}`)
    text += character
  }
  return text
}

/** The arguments that a program finds in its command line, by the rules of `CommandLineToArgvW`. */
export function argumentsOf(line: string): readonly string[] {
  const found: string[] = []
  for (let rest = line.trimStart(); rest !== ''; ) {
    const { value, length } = firstArgument(rest)
    found.push(value)
    rest = rest.slice(length).replace(/^[ \t]+/, '')
  }
  return found
}

function firstArgument(text: string): { value: string; length: number } {
  let [value, isQuoted, index] = ['', false, 0]
  while (index < text.length && (isQuoted || !/[ \t]/.test(text[index] ?? ''))) {
    const backslashes = /^\\*/.exec(text.slice(index))?.[0].length ?? 0
    index += backslashes
    if (text[index] !== '"') {
      value += '\\'.repeat(backslashes)
      if (backslashes === 0) value += text[index++]
      continue
    }
    value += '\\'.repeat(Math.floor(backslashes / 2))
    if (backslashes % 2 === 1) value += '"'
    else isQuoted = !isQuoted
    index++
  }
  return { value, length: index }
}
