/** A part of a URI template (RFC 6570): literal text, or an expression with variables. */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly operator: Operator; readonly names: readonly string[] }

interface Operator {
  /** Before the first value, and between values. */
  readonly first: string
  readonly separator: string
  /** Whether values are preceded by their names. */
  readonly isNamed: boolean
  /** Whether characters with a meaning in URIs, such as a slash, stay. */
  readonly isReserved: boolean
}

const simple: Operator = { first: '', separator: ',', isNamed: false, isReserved: false }
const operators: Readonly<Record<string, Operator>> = {
  '+': { ...simple, isReserved: true },
  '#': { ...simple, first: '#', isReserved: true },
  '.': { ...simple, first: '.', separator: '.' },
  '/': { ...simple, first: '/', separator: '/' },
  ';': { ...simple, first: ';', separator: ';', isNamed: true },
  '?': { ...simple, first: '?', separator: '&', isNamed: true },
  '&': { ...simple, first: '&', separator: '&', isNamed: true },
}

/** Returns the names of the variables of a template, in order. */
export function variablesOf(template: string): readonly string[] {
  const names = partsOf(template).flatMap((part) => (part.kind === 'expression' ? part.names : []))
  return [...new Set(names)]
}

/** Returns the URI for values of the variables. A variable without a value is left out. */
export function expand(template: string, values: Readonly<Record<string, string>>): string {
  return partsOf(template)
    .map((part) => (part.kind === 'text' ? part.text : expanded(part.operator, part.names, values)))
    .join('')
}

function partsOf(template: string): readonly Part[] {
  return template
    .split(/(\{[^{}]*\})/)
    .map((text) => (/^\{.*\}$/s.test(text) ? expressionOf(text.slice(1, -1)) : { kind: 'text', text }))
}

function expressionOf(text: string): Part {
  const operator = operators[text.charAt(0)]
  const list = operator === undefined ? text : text.slice(1)
  // Modifiers are for lists and for lengths, which a form has not.
  const names = list.split(',').map((name) => name.replace(/(\*|:\d+)$/, ''))
  return { kind: 'expression', operator: operator ?? simple, names: names.filter((name) => name !== '') }
}

function expanded(
  { first, separator, isNamed, isReserved }: Operator,
  names: readonly string[],
  values: Readonly<Record<string, string>>,
): string {
  const given = names.flatMap((name) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : ''
    if (value === '') return []
    const encoded = isReserved ? encodeURI(value) : encodeURIComponent(value)
    return [isNamed ? `${name}=${encoded}` : encoded]
  })
  return given.length === 0 ? '' : first + given.join(separator)
}
