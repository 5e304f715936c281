import { printable } from '../text/printable.ts'

/** A TSDoc comment of a server's text, indented. Empty for no text. The text cannot end the comment. */
export function comment(text: unknown, indent = ''): string {
  if (typeof text !== 'string') return ''
  const lines = printable(text, { keepLines: true }).replaceAll('*/', String.raw`*\/`).trim().split('\n')
  const [first = '', ...rest] = lines.map((line) => line.trimEnd())
  if (rest.length === 0) return first === '' ? '' : `${indent}/** ${first} */\n`
  return [
    `${indent}/**`,
    ...[first, ...rest].map((line) => `${indent} * ${line}`.trimEnd()),
    `${indent} */\n`,
  ].join('\n')
}
