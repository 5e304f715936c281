import type { Reading } from './read-arguments.ts'

/** Names as they are written, and values of the expected type only. */
export const exactValues: Omit<Reading, 'placeOf'> = {
  nameOf: (key) => key,
  wordOf: (value) => (typeof value === 'string' ? value : undefined),
  flagOf: (value) => (typeof value === 'boolean' ? value : undefined),
  numberOf: (value) => (typeof value === 'number' ? value : undefined),
}
