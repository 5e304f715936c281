import { createHash } from 'node:crypto'
import { LockboxError } from '../errors.ts'
import type { EngineTransaction, Query } from './engine.ts'

/** A migration of the schema. Released migrations are never edited: add another one. */
export type Migration = { readonly number: number; readonly name: string; readonly sql: string }

type Applied = { readonly number: number; readonly name: string; readonly checksum: string }

// An arbitrary number that no other program on the same database uses.
const MIGRATION_LOCK = '7236583140561'

/**
 * Applies the missing migrations, one process at a time; the lock ends with the transaction. Rejects, with nothing changed,
 * if a newer program migrated the database or if an applied migration differs from ours.
 */
export async function migrate(session: EngineTransaction, known: readonly Migration[]): Promise<void> {
  await session.query('select pg_advisory_xact_lock($1::bigint)', [MIGRATION_LOCK])
  const applied = await readApplied(session.query)
  for (const step of applied) refuseForeign(step, known)
  const done = new Set(applied.map((step) => step.number))
  for (const migration of known) if (!done.has(migration.number)) await apply(session, migration)
}

async function readApplied(query: Query): Promise<readonly Applied[]> {
  const [table] = await query<{ found: boolean }>(
    `select to_regclass('lockbox.migrations') is not null as found`,
  )
  if (!table?.found) return []
  return query<Applied>('select number, name, checksum from lockbox.migrations order by number')
}

function refuseForeign(step: Applied, known: readonly Migration[]): void {
  const ours = known.find((migration) => migration.number === step.number)
  const data = { migration: step.number, newestKnown: known.at(-1)?.number }
  if (!ours) {
    const message = `the database was set up by a newer version (step ${step.number}, ${step.name}); update this program`
    throw new LockboxError('migration_failed', message, { data })
  }
  if (checksumOf(ours) !== step.checksum) {
    const message = `step ${step.number} (${step.name}) of the database differs from this program's; use a released version`
    throw new LockboxError('migration_failed', message, { data })
  }
}

async function apply(session: EngineTransaction, migration: Migration): Promise<void> {
  try {
    await session.script(migration.sql)
    await session.query('insert into lockbox.migrations (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      checksumOf(migration),
    ])
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `step ${migration.number} (${migration.name}) of the database failed: ${reason}`
    throw new LockboxError('migration_failed', message, { data: { migration: migration.number }, cause })
  }
}

function checksumOf(migration: Migration): string {
  return createHash('sha256').update(migration.sql).digest('hex')
}
