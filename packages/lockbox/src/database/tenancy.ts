import { LockboxError } from '../errors.ts'
import type { EngineTransaction, Query } from './engine.ts'
import { type Maintenance, prepareMaintenance } from './maintenance.ts'
import { bypasses, canEnter, createRole, type Grants, grantMissing } from './roles.ts'

/** The roles of a database. */
export type Tenancy = {
  /** The role that transactions of owners run as; undefined for the connecting user. It cannot bypass row-level security. */
  readonly role: typeof APP_ROLE | undefined
  /** How transactions for all owners run. */
  readonly maintenance: Maintenance
}

const APP_ROLE = 'lockbox_app'

const grants: Grants = {
  key_check: ['select', 'insert'],
  key_rotation: ['select'],
  owner_keys: ['select', 'insert'],
  user_secrets: ['select', 'insert', 'update', 'delete'],
  inbox: ['select', 'insert', 'update'],
  activity: ['select', 'insert', 'update', 'delete'],
  audit: ['select', 'insert'],
  records: ['select', 'insert', 'update', 'delete'],
  leases: ['select', 'insert', 'update'],
  bearer_tokens: ['select', 'insert', 'update', 'delete'],
}

/**
 * Chooses the roles for transactions and creates them where the connecting user may. Rejects if that user bypasses row-level
 * security and cannot assume the role of owners: they would not be isolated.
 */
export async function prepareTenancy(session: EngineTransaction): Promise<Tenancy> {
  const role = await prepareRole(session)
  return { role, maintenance: await prepareMaintenance(session) }
}

async function prepareRole(session: EngineTransaction): Promise<Tenancy['role']> {
  await createRole(session, APP_ROLE)
  if (await canEnter(session, APP_ROLE)) {
    await grantMissing(session, APP_ROLE, grants)
    return APP_ROLE
  }
  if (await bypasses(session.query, 'current_user')) throw unguarded()
  return undefined
}

/** Restricts the running transaction to the rows of `owner`. */
export async function enterTenancy(query: Query, tenancy: Tenancy, owner: string): Promise<void> {
  const setOwner = `set_config('lockbox.owner', $1, true)`
  const setRole = tenancy.role === undefined ? '' : `, set_config('role', '${tenancy.role}', true)`
  await query(`select ${setOwner}${setRole}`, [owner])
}

function unguarded(): LockboxError {
  return new LockboxError(
    'migration_failed',
    `the database user bypasses row-level security and cannot become ${APP_ROLE}, so owners would not be isolated; ` +
      `connect as a user without BYPASSRLS, or run as an administrator: create role ${APP_ROLE} nologin; ` +
      `grant ${APP_ROLE} to <that user>;`,
  )
}
