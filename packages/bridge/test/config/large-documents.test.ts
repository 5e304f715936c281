import { expect, test, vi } from 'vitest'
import { parseDocument } from '../../src/config/documents/config-document.ts'
import {
  readVariables,
  variableSyntaxes,
  type SyntaxName,
} from '../../src/config/variables/variable-syntaxes.ts'

function problemOf(text: string, format: 'json' | 'yaml' | 'toml'): string {
  const parsed = parseDocument(text, 'file', format)
  return 'root' in parsed ? 'none' : parsed.message
}

test('JSON is read up to its first error only', () => {
  // Further on, the levels of nesting would be the problem.
  const text = `[x,${'['.repeat(100_000)}`
  expect(problemOf(text, 'json')).toContain('line 1, column 2: expected a property name or a value')
})

const tooMuch = 'expected at most 50000 words and signs; put the servers in a file of their own'

test.each([
  ['items', 'a:\n', ' - x\n'],
  ['items in brackets', 'a: [', 'x,'],
  ['anchors', 'a:\n', ' - &a x\n'],
  ['aliases of nothing', 'a:\n', ' - *a\n'],
  ['documents', 'a: 1\n', '---\n'],
  ['errors', 'a: ', '] '],
  ['errors in one text', 'a: "', '\\q'],
  ['keys', 'a: 1\n', 'b: 1\n'],
])('YAML with too many %s is refused before it is read', (_of, opening, repeated) => {
  expect(problemOf(opening + repeated.repeat(60_000), 'yaml')).toContain(tooMuch)
  expect(problemOf(opening + repeated.repeat(1_000), 'yaml')).not.toContain(tooMuch)
})

const openings: readonly string[] =
  '${ ${A ${A:- ${env: ${input: ${file: {env: {file: $( \\${ ${{secrets. ${{inputs. ${command: $A %A $env:'.split(
    ' ',
  )

test.each(Object.keys(variableSyntaxes) as SyntaxName[])(
  'in the syntax %s, a variable without an end is searched once',
  (name) => {
    for (const opening of openings)
      expect(readsOf(opening.repeat(400), name)).toBeLessThanOrEqual(20 * readsOf(opening.repeat(40), name))
  },
)

/** How many characters expressions read, and how often one was tried. */
function readsOf(text: string, name: SyntaxName): number {
  const spy = vi.spyOn(RegExp.prototype, 'exec')
  try {
    readVariables(text, variableSyntaxes[name])
    return spy.mock.results.reduce((sum, { value }) => sum + 1 + (value?.[0].length ?? 0), 0)
  } finally {
    spy.mockRestore()
  }
}
