import { type ESTree, parseSync, Visitor } from 'vite'

export interface RegularExpression {
  /** File and line. */
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** All regular expressions of a source, also those that are written as an argument of `RegExp`. */
export function regularExpressions(
  file: string,
  text: string,
): { readonly found: readonly RegularExpression[]; readonly isMadeAtRunTime: boolean } {
  const found: RegularExpression[] = []
  let isMadeAtRunTime = false
  const add = (start: number, source: string, flags = ''): void => {
    found.push({ place: `${file}:${text.slice(0, start).split('\n').length}`, source, flags })
  }
  const constructed = ({ callee, arguments: [pattern, flags], start }: Constructed): void => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
    const source = textOf(pattern)
    if (source === undefined) isMadeAtRunTime = true
    else add(start, source, textOf(flags))
  }
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) add(node.start, node.regex.pattern, node.regex.flags)
    },
    NewExpression: constructed,
    CallExpression: constructed,
  }).visit(program)
  return { found, isMadeAtRunTime }
}

type Constructed = ESTree.NewExpression | ESTree.CallExpression

/** A text as it is written, with one letter for each value that is inserted in a template. */
function textOf(argument: ESTree.Argument | undefined): string | undefined {
  if (argument?.type === 'Literal' && typeof argument.value === 'string') return argument.value
  if (argument?.type === 'TemplateLiteral') return argument.quasis.map(({ value }) => value.cooked).join('x')
  if (argument?.type !== 'TaggedTemplateExpression') return undefined
  return argument.quasi.quasis.map(({ value }) => value.raw).join('x')
}
