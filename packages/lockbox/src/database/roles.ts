import type { EngineTransaction, Query } from './engine.ts'

/** Privileges on the tables of the lockbox, by table. */
export type Grants = Readonly<Record<string, readonly string[]>>

/**
 * Creates a role where the connecting user may. It belongs to the whole server: a process on another database may create it
 * at the same time.
 */
export function createRole({ script }: EngineTransaction, role: string): Promise<void> {
  return script(`
do $do$
begin
  if not exists (select from pg_roles where rolname = '${role}') then
    create role ${role} nologin;
    if not (select rolsuper from pg_roles where rolname = current_user) then
      execute format('grant ${role} to %I', current_user);
    end if;
  end if;
exception when insufficient_privilege or duplicate_object or unique_violation then
  null;
end
$do$`)
}

/** Whether the connecting user can assume a role, and the role cannot bypass row-level security. */
export async function canEnter({ query, script }: EngineTransaction, role: string): Promise<boolean> {
  if (await bypasses(query, `'${role}'`)) return false
  await script('savepoint before_role')
  try {
    await script(`set local role ${role}`)
    return true
  } catch {
    return false
  } finally {
    await script('rollback to savepoint before_role')
  }
}

/** Whether a role, given as an SQL expression, bypasses row-level security. */
export async function bypasses(query: Query, role: string): Promise<boolean> {
  const sql = `select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = ${role}`
  const [row] = await query<{ bypasses: boolean }>(sql)
  return row?.bypasses ?? false
}

/** Grants what a role lacks. */
export async function grantMissing(
  { query, script }: EngineTransaction,
  role: string,
  grants: Grants,
): Promise<void> {
  const wanted = Object.entries(grants).flatMap(([table, privileges]) =>
    privileges.map((privilege) => ({ table, privilege })),
  )
  const [granted] = await query<{ complete: boolean }>(
    `select has_schema_privilege('${role}', 'lockbox', 'usage')
        and bool_and(has_table_privilege('${role}', 'lockbox.' || wanted.name, wanted.privilege)) as complete
     from unnest($1::text[], $2::text[]) as wanted (name, privilege)`,
    [wanted.map(({ table }) => table), wanted.map(({ privilege }) => privilege)],
  )
  if (granted?.complete) return
  const statements = wanted.map(
    ({ table, privilege }) => `grant ${privilege} on lockbox.${table} to ${role};`,
  )
  await script(`grant usage on schema lockbox to ${role}; ${statements.join(' ')}`)
}
