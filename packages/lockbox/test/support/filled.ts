import type { AuthKey, TokenRecord } from '@toolbridge/client/auth'
import type { ActivityEntry } from '../../src/activity.ts'
import type { Lockbox } from '../../src/lockbox.ts'
import { servers } from './test-lockbox.ts'

/** Contents of a lockbox as its owners see them. */
export type Contents = Readonly<Record<string, unknown>>

const trusted = 'ab'.repeat(32)
const destination = { target: 'https://mcp.example:443', fields: ['/headers/authorization'] }
const inputOf = (owner: string) => ({ principal: owner, server: 'github', id: 'token' })

/** Where the tokens of `fill` are for. */
export const authKey: AuthKey = {
  issuer: 'https://as.example',
  resource: 'https://mcp.example',
  principal: 'p',
}

/** Tokens with a version. */
export function tokensOf(owner: string, version = 1): TokenRecord {
  const tokens = { access_token: `access ${version} of ${owner}`, token_type: 'Bearer' } as const
  return { version, generation: 1, obtainedAtMs: 5, state: { kind: 'held', tokens } }
}

/**
 * Stores for each owner: 3 versions of a setting, 3 questions of which one is answered, 3 records, and activity in `entries` rows
 * of one entry and one of three.
 */
export async function fill(lockbox: Lockbox, owners: readonly string[], entries = 3): Promise<void> {
  for (const owner of owners) {
    for (const value of ['one', 'two', 'three']) await lockbox.settings.save(owner, servers, { value, owner })
    for (const id of ['a', 'b', 'c']) await lockbox.inbox.ask(owner, { id, payload: `${id} of ${owner}` })
    await lockbox.inbox.answer(owner, 'c', `answer of ${owner}`)
    await lockbox.trust(owner).trust(trusted, owner)
    await lockbox.inputs.set(inputOf(owner), `input of ${owner}`, destination)
    await lockbox.credentials(owner).saveTokens(authKey, tokensOf(owner), undefined)
    await recordEach(lockbox, owner, entries)
    await lockbox.activity.recordAll(owner, activityOf('several', 3))
  }
}

/** Records entries in a row each. */
export async function recordEach({ activity }: Lockbox, owner: string, entries: number): Promise<void> {
  for (const entry of activityOf(owner, entries)) await activity.record(owner, entry)
}

/** Entries with the ids 0, 1, 2 and so on, at as many milliseconds after 1970 began. */
export function activityOf(owner: string, entries: number): readonly ActivityEntry[] {
  return Array.from({ length: entries }, (_, entry) => ({
    id: `${entry}`,
    at: new Date(entry),
    payload: { entry, owner },
  }))
}

/** The time of the entry with this id, as SQL. */
export function timeOf(entry: number): string {
  return `to_timestamp(${entry} / 1000.0)`
}

/** Number of encrypted values that `fill` stores for each owner. */
export function valuesOf(entries: number): number {
  return 3 + 3 + 1 + 3 + entries + 1
}

/** Opens everything that `fill` stored, except the answers, which nothing reads yet. */
export async function readAll(lockbox: Lockbox, owners: readonly string[]): Promise<Contents> {
  const all: Record<string, unknown> = {}
  for (const owner of owners) {
    const versions = [1, 2, 3].map((version) => lockbox.settings.readVersion(owner, servers, version))
    all[owner] = {
      current: await lockbox.settings.read(owner, servers),
      versions: await Promise.all(versions),
      inbox: await lockbox.inbox.open(owner),
      isTrusted: await lockbox.trust(owner).isTrusted(trusted),
      input: await readInput(lockbox, owner),
      tokens: await lockbox.credentials(owner).tokens(authKey),
      activity: await lockbox.activity.recent(owner, 1_000),
    }
  }
  return all
}

/** Reads the value that `fill` stored as a person's input. */
export function readInput(lockbox: Lockbox, owner: string): Promise<string | undefined> {
  return lockbox.inputs.get(inputOf(owner), destination)
}

export function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `owner ${index}`)
}
