/**
 * Runs one SQL statement in a transaction. Throws once the transaction has ended. Statements run in the order of the calls; those that
 * are not waited for in between are one round trip. After one that fails, the others fail too.
 */
export type Query = <Row extends object>(
  sql: string,
  parameters?: readonly unknown[],
) => Promise<readonly Row[]>

/** A transaction as the connecting user. */
export interface EngineTransaction {
  readonly query: Query
  /** Runs several statements. */
  readonly script: (sql: string) => Promise<void>
}

/** A database engine. */
export interface Engine {
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<T>(work: (session: EngineTransaction) => Promise<T>): Promise<T>
  /** Fails running operations. The embedded engine first finishes its current step. */
  abort(): void
  close(): Promise<void>
}
