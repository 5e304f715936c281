import { hasErrorCode } from '@toolbridge/client/internal'
import { LockboxError } from '../errors.ts'
import type { EngineTransaction } from './engine.ts'
import { bypasses, canEnter, createRole, type Grants, grantMissing } from './roles.ts'

/**
 * How a transaction gets access to the rows of all owners: by the role of maintenance; as the connecting user, if row-level
 * security does not apply to it; or as the owner of the tables, who lifts it for the transaction.
 */
export type Maintenance = 'role' | 'connecting_user' | 'owner_of_tables'

const MAINTENANCE_ROLE = 'lockbox_maintenance'

const grants: Grants = {
  key_check: ['select', 'update'],
  key_rotation: ['select', 'update'],
  owner_keys: ['select', 'insert', 'update', 'delete'],
  user_secrets: ['select', 'update'],
  inbox: ['select', 'update'],
  activity: ['select', 'update'],
  records: ['select', 'update'],
  audit: ['select'],
  bearer_tokens: ['select'],
}

/** Creates the role of maintenance where the connecting user may, and chooses how to get access to all rows. */
export async function prepareMaintenance(session: EngineTransaction): Promise<Maintenance> {
  await createRole(session, MAINTENANCE_ROLE)
  if (await canEnter(session, MAINTENANCE_ROLE)) {
    await grantMissing(session, MAINTENANCE_ROLE, grants)
    return 'role'
  }
  return (await bypasses(session.query, 'current_user')) ? 'connecting_user' : 'owner_of_tables'
}

/** Runs `work` in the running transaction with access to the rows of all owners. */
export async function runMaintenance<T>(
  session: EngineTransaction,
  maintenance: Maintenance,
  work: () => Promise<T>,
): Promise<T> {
  if (maintenance === 'owner_of_tables') return runUnforced(session, work)
  if (maintenance === 'role') await session.query(`select set_config('role', '${MAINTENANCE_ROLE}', true)`)
  return work()
}

/** The changes of the tables are not visible outside the transaction, and locks keep others from the tables meanwhile. */
async function runUnforced<T>({ script }: EngineTransaction, work: () => Promise<T>): Promise<T> {
  await script(alterAll('no force')).catch((cause: unknown) => {
    throw hasErrorCode(cause, INSUFFICIENT_PRIVILEGE) ? noAccess(cause) : cause
  })
  const result = await work()
  await script(alterAll('force'))
  return result
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** The table of keys last: a transaction that writes another table locks a row of it afterwards. */
function alterAll(change: 'force' | 'no force'): string {
  return `
do $do$
declare name text;
begin
  for name in
    select relname from pg_class where relnamespace = 'lockbox'::regnamespace and relrowsecurity
    order by relname = 'owner_keys', relname
  loop
    execute format('alter table lockbox.%I ${change} row level security', name);
  end loop;
end
$do$`
}

function noAccess(cause: unknown): LockboxError {
  const message =
    `the database user cannot maintain the rows of all owners; run as an administrator: ` +
    `create role ${MAINTENANCE_ROLE} nologin; grant ${MAINTENANCE_ROLE} to <that user>;`
  return new LockboxError('migration_failed', message, { cause })
}
