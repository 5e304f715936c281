/** Reports that one of two constraints was dropped. */
export type OnDropped = (keyword: string) => void

/** The intersection of two schemas; undefined means no constraint. */
export function intersection(a: unknown, b: unknown): unknown {
  if (a === undefined || a === true) return b ?? a
  if (b === undefined || b === true) return a
  if (a === false || b === false) return false
  return { allOf: [a, b] }
}
