/**
 * The length and the last code of a writer's chain. Keep it outside the database, such as in a log: compared with it, entries
 * that were removed from the end are found.
 */
export type AuditCheckpoint = {
  /** Id of the writer. */
  readonly writer: string
  /** Number of its entries so far. */
  readonly count: number
  /** Code of the last of them, as hex. Not a secret. */
  readonly head: string
}

const pattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([1-9]\d{0,9}):([0-9a-f]{64})$/

/** Returns a checkpoint as one word, `writer:count:head`. */
export function formatCheckpoint({ writer, count, head }: AuditCheckpoint): string {
  return `${writer}:${count}:${head}`
}

/** Parses the text of `formatCheckpoint`. Returns undefined for any other text. */
export function parseCheckpoint(text: string): AuditCheckpoint | undefined {
  const [, writer, count, head] = pattern.exec(text) ?? []
  if (writer === undefined || count === undefined || head === undefined) return undefined
  return { writer, count: Number(count), head }
}
