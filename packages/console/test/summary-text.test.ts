import { expect, test } from 'vitest'
import { summaryText } from '../src/ui/summary-text.ts'

test.each([
  ['Creates an issue.\n\n- **Labels** too', 'Creates an issue.'],
  ['# Reads `a` and *b*', 'Reads a and b'],
  ['Lists **all** of create_* and 2 * 3 * 4', 'Lists all of create_* and 2 * 3 * 4'],
  ['x'.repeat(301), `${'x'.repeat(300)}…`],
  ['', ''],
])('a list shows %j as %j', (markdown, text) => {
  expect(summaryText(markdown)).toBe(text)
})
