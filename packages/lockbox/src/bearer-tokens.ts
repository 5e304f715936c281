import { assertStorable } from './storable.ts'
import { type Database, NO_OWNER } from './database/database.ts'

/** `key`: an API key. `sign-in`: the token of a person who signed in. `revoked`: refuses a token that others issued. */
export type BearerTokenKind = 'key' | 'sign-in' | 'revoked'

/** A bearer token of an owner. The token itself is not stored. */
export type BearerToken = {
  /** Unique, and not a secret. */
  readonly id: string
  /** Owner of the rows that the token gives access to. */
  readonly owner: string
  /** What the token is. */
  readonly kind: BearerTokenKind
  /** SHA-256 of the token. */
  readonly digest: Uint8Array
  /** Name for people; may be empty. */
  readonly name: string
  /** Role of the owner when the token was created. */
  readonly role: string
  /** What the token may be used for. */
  readonly scopes: readonly string[]
  /** Time of creation. */
  readonly createdAt: Date
  /** Time from which it is invalid. */
  readonly expiresAt: Date
  /** Time of the last use, which may be minutes late. Undefined if it was never used. */
  readonly lastUsedAt: Date | undefined
}

/** Bearer tokens, stored as digests: unlike settings they are compared, never read back. */
export interface BearerTokens {
  /** Adds a token, and removes expired ones of the owner that are not keys. */
  add(token: Omit<BearerToken, 'lastUsedAt'>): Promise<void>
  /** Returns the token with this id, of any owner. */
  find(id: string): Promise<BearerToken | undefined>
  /** Returns the owner's tokens of a kind, oldest first. */
  list(owner: string, kind: BearerTokenKind): Promise<readonly BearerToken[]>
  /** Returns everyone's tokens of a kind, oldest first. For administrators. */
  listAll(kind: BearerTokenKind): Promise<readonly BearerToken[]>
  /** Records a use. */
  recordUse(owner: string, id: string, at: Date): Promise<void>
  /** Removes a token. Returns false if the owner has none with this id. */
  remove(owner: string, id: string): Promise<boolean>
}

type TokenRow = Pick<BearerToken, 'id' | 'owner' | 'kind' | 'digest' | 'name' | 'role' | 'scopes'> & {
  readonly created_at: Date
  readonly expires_at: Date
  readonly last_used_at: Date | null
}

/** Creates a store of bearer tokens on `database`. */
export function createBearerTokens(database: Database, now: () => Date): BearerTokens {
  return {
    async add({ id, owner, kind, digest, name, role, scopes, createdAt, expiresAt }) {
      assertStorable({ id, owner, role, ...(name === '' ? {} : { name }) })
      const row = [id, owner, kind, digest, name, role, scopes, createdAt, expiresAt]
      await database.transaction(owner, async (query) => {
        await query(prune, [owner, now()])
        await query(insert, row)
      })
    },
    find: (id) =>
      database.transaction(NO_OWNER, async (query) => {
        await query(`select set_config('lockbox.presented_token', $1, true)`, [id])
        const [row] = await query<TokenRow>(`${select} where id = $1`, [id])
        return row && tokenOf(row)
      }),
    async list(owner, kind) {
      assertStorable({ owner })
      const sql = `${select} where owner = $1 and kind = $2 order by created_at, id`
      const rows = await database.transaction(owner, (query) => query<TokenRow>(sql, [owner, kind]))
      return rows.map(tokenOf)
    },
    async listAll(kind) {
      const sql = `${select} where kind = $1 order by created_at, id`
      const rows = await database.maintain((query) => query<TokenRow>(sql, [kind]))
      return rows.map(tokenOf)
    },
    async recordUse(owner, id, at) {
      const sql = 'update lockbox.bearer_tokens set last_used_at = $3 where owner = $1 and id = $2'
      await database.transaction(owner, (query) => query(sql, [owner, id, at]))
    },
    async remove(owner, id) {
      const sql = 'delete from lockbox.bearer_tokens where owner = $1 and id = $2 returning id'
      return (await database.transaction(owner, (query) => query(sql, [owner, id]))).length > 0
    },
  }
}

const select = `
select id, owner, kind, digest, name, role, scopes, created_at, expires_at, last_used_at from lockbox.bearer_tokens`

const insert = `
insert into lockbox.bearer_tokens (id, owner, kind, digest, name, role, scopes, created_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

/** Expired keys stay, so that their owner sees why they fail. */
const prune = `delete from lockbox.bearer_tokens where owner = $1 and kind <> 'key' and expires_at <= $2`

function tokenOf({ created_at, expires_at, last_used_at, ...row }: TokenRow): BearerToken {
  return {
    ...row,
    createdAt: created_at,
    expiresAt: expires_at,
    lastUsedAt: last_used_at ?? undefined,
  }
}
