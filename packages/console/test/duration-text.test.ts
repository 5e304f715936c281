import { expect, test } from 'vitest'
import { durationText } from '../src/ui/time.tsx'

test.each([
  [0.4, '0 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [2_840, '2.8 s'],
  [9_990, '10 s'],
  [30_000, '30 s'],
  [59_960, '1 min'],
  [119_700, '2 min'],
  [61_000, '1 min 1 s'],
])('%d ms are %s', (durationMs, text) => {
  expect(durationText(durationMs)).toBe(text)
})
