import { readFileSync } from 'node:fs'

/**
 * A call of a tool (`git push`) or the reading of a resource (`resource://docs/https://docs.example.com/`), as it occurs in
 * everyday work. `verdicts` has a letter for each of the rule sets, see `judge.ts`.
 */
export interface OrdinaryCall {
  /** Number of its line in `calls.jsonl`. */
  readonly line: number
  readonly verdicts: string
  readonly subject: string
  readonly args: Readonly<Record<string, unknown>>
}

/**
 * Reads `calls.jsonl`: on each line the verdicts, the subject and the arguments. Long texts are written as
 * `{"$text": name}`, which is in `texts.json` as a list of lines, `{"$repeat": [text, times]}` or `{"$join": [text, …]}`.
 */
export function ordinaryCalls(): readonly OrdinaryCall[] {
  return read('calls.jsonl')
    .trimEnd()
    .split('\n')
    .map((line, index) => callOf(JSON.parse(line), index + 1))
}

function callOf(row: unknown, line: number): OrdinaryCall {
  if (!Array.isArray(row)) throw new TypeError(`line ${line} is not a list`)
  const [verdicts, subject, args = {}]: readonly unknown[] = row
  const expanded = expand(args)
  if (typeof verdicts !== 'string' || typeof subject !== 'string' || !isObject(expanded))
    throw new TypeError(`line ${line} is not ["verdicts", "server tool", {arguments}]`)
  return { line, verdicts, subject, args: expanded }
}

const texts = new Map(
  Object.entries(objectOf(JSON.parse(read('texts.json')))).map(([name, lines]) => [
    name,
    Array.isArray(lines) ? lines.join('\n') : String(lines),
  ]),
)

function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand)
  if (!isObject(value)) return value
  const [[notation, given] = ['', undefined], ...others] = Object.entries(value)
  if (others.length === 0 && notation.startsWith('$')) return textOf(notation, given)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expand(inner)]))
}

function textOf(notation: string, given: unknown): string {
  const text = typeof given === 'string' ? texts.get(given) : undefined
  if (notation === '$text' && text !== undefined) return text
  const parts = Array.isArray(given) ? given : []
  if (notation === '$repeat') return String(expand(parts[0])).repeat(Number(parts[1]))
  if (notation === '$join') return parts.map(expand).join('')
  throw new TypeError(`${notation} ${JSON.stringify(given)} is not a known text`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function objectOf(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new TypeError('texts.json is not an object')
  return value
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}
