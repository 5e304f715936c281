/** Runs one SQL statement in the transaction it was handed to; refused once that transaction has ended. */
export type Query = <Row extends object>(
  sql: string,
  parameters?: readonly unknown[],
) => Promise<readonly Row[]>

/** A transaction as the connecting user, for the schema's own upkeep. */
export interface EngineTransaction {
  readonly query: Query
  /** Runs several statements. */
  readonly script: (sql: string) => Promise<void>
}

/** What a database engine offers. `work` is committed when it resolves, else rolled back. */
export interface Engine {
  transaction<T>(work: (session: EngineTransaction) => Promise<T>): Promise<T>
  /** Fails what is running as soon as the engine allows; the embedded one has to end its step. */
  abort(): void
  close(): Promise<void>
}
