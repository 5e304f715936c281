import { LockboxError } from '../errors.ts'
import type { EngineTransaction, Query } from './engine.ts'

/** The role that transactions run as; undefined for the connecting user. Neither can bypass row-level security. */
export type Tenancy = { readonly role: typeof APP_ROLE | undefined }

const APP_ROLE = 'lockbox_app'

const privileges: readonly (readonly [table: string, privilege: string])[] = [
  ['key_check', 'select'],
  ['key_check', 'insert'],
  ['owner_keys', 'select'],
  ['owner_keys', 'insert'],
  ['user_secrets', 'select'],
  ['user_secrets', 'insert'],
  ['user_secrets', 'update'],
  ['inbox', 'select'],
  ['inbox', 'insert'],
  ['inbox', 'update'],
  ['activity', 'select'],
  ['activity', 'insert'],
  ['activity', 'update'],
  ['activity', 'delete'],
  ['audit', 'select'],
  ['audit', 'insert'],
  ['records', 'select'],
  ['records', 'insert'],
  ['records', 'update'],
  ['records', 'delete'],
  ['leases', 'select'],
  ['leases', 'insert'],
  ['leases', 'update'],
  ['bearer_tokens', 'select'],
  ['bearer_tokens', 'insert'],
  ['bearer_tokens', 'update'],
  ['bearer_tokens', 'delete'],
]

/**
 * Chooses the role for transactions and creates it where the connecting user may. Rejects if that user bypasses row-level
 * security and cannot assume the role: owners would not be isolated.
 */
export async function prepareTenancy(session: EngineTransaction): Promise<Tenancy> {
  await session.script(createRole)
  if (await canEnter(session)) {
    await grantMissing(session)
    return { role: APP_ROLE }
  }
  if (await bypasses(session.query, 'current_user')) throw unguarded()
  return { role: undefined }
}

/** Restricts the running transaction to the rows of `owner`. */
export async function enterTenancy(query: Query, tenancy: Tenancy, owner: string): Promise<void> {
  const setOwner = `set_config('lockbox.owner', $1, true)`
  const setRole = tenancy.role === undefined ? '' : `, set_config('role', '${tenancy.role}', true)`
  await query(`select ${setOwner}${setRole}`, [owner])
}

// The role belongs to the whole server: a process on another database may create it at the same time.
const createRole = `
do $do$
begin
  if not exists (select from pg_roles where rolname = '${APP_ROLE}') then
    create role ${APP_ROLE} nologin;
    if not (select rolsuper from pg_roles where rolname = current_user) then
      execute format('grant ${APP_ROLE} to %I', current_user);
    end if;
  end if;
exception when insufficient_privilege or duplicate_object or unique_violation then
  null;
end
$do$`

async function canEnter({ query, script }: EngineTransaction): Promise<boolean> {
  if (await bypasses(query, `'${APP_ROLE}'`)) return false
  await script('savepoint before_role')
  try {
    await script(`set local role ${APP_ROLE}`)
    return true
  } catch {
    return false
  } finally {
    await script('rollback to savepoint before_role')
  }
}

async function bypasses(query: Query, role: string): Promise<boolean> {
  const sql = `select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = ${role}`
  const [row] = await query<{ bypasses: boolean }>(sql)
  return row?.bypasses ?? false
}

async function grantMissing({ query, script }: EngineTransaction): Promise<void> {
  const [granted] = await query<{ complete: boolean }>(
    `select has_schema_privilege('${APP_ROLE}', 'lockbox', 'usage')
        and bool_and(has_table_privilege('${APP_ROLE}', 'lockbox.' || wanted.name, wanted.privilege)) as complete
     from unnest($1::text[], $2::text[]) as wanted (name, privilege)`,
    [privileges.map(([table]) => table), privileges.map(([, privilege]) => privilege)],
  )
  if (granted?.complete) return
  const grants = privileges.map(
    ([table, privilege]) => `grant ${privilege} on lockbox.${table} to ${APP_ROLE};`,
  )
  await script(`grant usage on schema lockbox to ${APP_ROLE}; ${grants.join(' ')}`)
}

function unguarded(): LockboxError {
  return new LockboxError(
    'migration_failed',
    `the database user bypasses row-level security and cannot become ${APP_ROLE}, so owners would not be isolated; ` +
      `connect as a user without BYPASSRLS, or run as an administrator: create role ${APP_ROLE} nologin; ` +
      `grant ${APP_ROLE} to <that user>;`,
  )
}
