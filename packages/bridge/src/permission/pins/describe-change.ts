import { escapeInvisible } from '@toolbridge/client/internal'
import type { Pin, PinnedDefinition } from './pins.ts'

const maxLines = 400
const context = 2

/**
 * A readable line diff of two pins: `-` marks approved lines, `+` new ones. The text comes from a server; invisible
 * characters are escaped.
 */
export function describeChange(before: Pin, now: Pin): string {
  const [old, fresh] = [shownLines(before.definition), shownLines(now.definition)]
  const lines = aroundChanges(difference(old, fresh))
  if (lines.length <= maxLines) return lines.join('\n')
  return [...lines.slice(0, maxLines), `… and ${lines.length - maxLines} more lines`].join('\n')
}

function shownLines({ name, title, description, ...rest }: PinnedDefinition): readonly string[] {
  return [
    `name: ${name}`,
    ...(title === undefined ? [] : [`title: ${title}`]),
    ...(description === undefined ? [] : [`description: ${description}`]),
    ...jsonLines('input', rest.inputSchema),
    ...(rest.outputSchema === undefined ? [] : jsonLines('output', rest.outputSchema)),
    ...(rest.annotations === undefined ? [] : jsonLines('annotations', rest.annotations)),
  ].flatMap((line) => line.split('\n').map(escapeInvisible).flatMap(wrapped))
}

function jsonLines(title: string, value: unknown): readonly string[] {
  return `${title}: ${JSON.stringify(sortedDeep(value), null, 2)}`.split('\n')
}

function sortedDeep(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortedDeep)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortedDeep(inner)]))
}

/** Splits a line into sentences of at most 100 characters, so that a change in one does not move the others. */
function wrapped(line: string): readonly string[] {
  return line
    .split(/(?<=[.!?;])\s+/u)
    .flatMap((sentence) => sentence.match(/.{1,100}(?:\s|$)|.{1,100}/gu) ?? [''])
}

interface Line {
  readonly mark: ' ' | '+' | '-'
  readonly text: string
}

/** The shortest line diff; for very long inputs all old lines followed by all new ones. */
function difference(old: readonly string[], fresh: readonly string[]): readonly Line[] {
  const start = commonStart(old, fresh)
  const end = commonStart(old.slice(start).toReversed(), fresh.slice(start).toReversed())
  const [gone, came] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)]
  return [
    ...marked(' ', old.slice(0, start)),
    ...(gone.length * came.length > 1_000_000
      ? [...marked('-', gone), ...marked('+', came)]
      : shortest(gone, came)),
    ...marked(' ', old.slice(old.length - end)),
  ]
}

function marked(mark: Line['mark'], lines: readonly string[]): readonly Line[] {
  return lines.map((text) => ({ mark, text }))
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}

function shortest(old: readonly string[], fresh: readonly string[]): readonly Line[] {
  const kept = longestCommon(old, fresh)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < fresh.length) {
    const [gone, came] = [old[i], fresh[j]]
    if (gone !== undefined && gone === came) {
      lines.push({ mark: ' ', text: gone })
      i += 1
      j += 1
    } else if (gone !== undefined && (came === undefined || kept(i + 1, j) >= kept(i, j + 1))) {
      lines.push({ mark: '-', text: gone })
      i += 1
    } else {
      lines.push({ mark: '+', text: came ?? '' })
      j += 1
    }
  }
  return lines
}

/** The length of the longest common subsequence from two positions on. */
function longestCommon(old: readonly string[], fresh: readonly string[]): (i: number, j: number) => number {
  const width = fresh.length + 1
  const lengths = new Uint16Array((old.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  return at
}

function aroundChanges(lines: readonly Line[]): readonly string[] {
  const near = lines.map((_line, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ mark }) => mark !== ' '),
  )
  return lines.flatMap(({ mark, text }, index) => {
    if (near[index] === true) return [`${mark} ${text}`.trimEnd()]
    return near[index - 1] === true || (index === 0 && lines.length > 1) ? ['  …'] : []
  })
}
