import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type BearerToken, type Lockbox, openKeyring, openLockbox } from '@toolbridge/lockbox'
import { openPgliteFromImage, sharedPostgres } from '@toolbridge/testkit/databases'
import { lookInFiles } from '@toolbridge/testkit/secrets'
import { afterAll, describe } from 'vitest'

/** One database per worker: starting PGlite costs more than most test files. */
const shared: { store?: Promise<SharedStore> } = {}

interface SharedStore {
  readonly lockbox: Lockbox
  readonly location: string
}

/** A store that is empty at first. It has its own owners in the database of the worker. Closing searches it for secrets. */
export async function openTestLockbox(): Promise<Lockbox> {
  shared.store ??= openShared()
  return withOwnersOf(await shared.store, randomBytes(4).toString('hex'))
}

/** Like `openTestLockbox`, for all tests of a file. It is closed after them. */
export async function openFileLockbox(): Promise<Lockbox> {
  const lockbox = await openTestLockbox()
  afterAll(() => lockbox.close())
  return lockbox
}

/** Runs one suite with a store of every engine. */
export function describeStores(promise: string, suite: (lockbox: Lockbox) => void): void {
  describe(`${promise} (PGlite)`, async () => suite(await openFileLockbox()))
  describe(`${promise} (PostgreSQL)`, async () => {
    const lockbox = await openOnPostgres()
    afterAll(() => lockbox.close())
    suite(lockbox)
  })
}

async function openOnPostgres(): Promise<Lockbox> {
  const location = await (await sharedPostgres()).createDatabase()
  return openLockbox({ location, keyring: await openKeyring({ key: randomBytes(32).toString('hex') }) })
}

async function openShared(): Promise<SharedStore> {
  const { location } = await openPgliteFromImage()
  process.once('exit', () => rmSync(location, { recursive: true, force: true }))
  const keyring = await openKeyring({ key: randomBytes(32).toString('hex') })
  return { lockbox: await openLockbox({ location, keyring }), location }
}

function withOwnersOf({ lockbox, location }: SharedStore, scope: string): Lockbox {
  const { settings, inbox, activity, audit, bearerTokens, grants, pins, inputs } = lockbox
  const own = (owner: string): string => `${scope}:${owner}`
  const ofOwner = <T extends { readonly principal: string }>(key: T): T => ({
    ...key,
    principal: own(key.principal),
  })
  const bare = (token: BearerToken): BearerToken => ({ ...token, owner: token.owner.slice(scope.length + 1) })
  const isOwn = ({ owner }: BearerToken): boolean => owner.startsWith(`${scope}:`)
  return {
    ...lockbox,
    settings: {
      read: (owner, key) => settings.read(own(owner), key),
      readVersion: (owner, key, version) => settings.readVersion(own(owner), key, version),
      save: (owner, key, value, options) => settings.save(own(owner), key, value, options),
      history: (owner, key) => settings.history(own(owner), key),
      diff: (owner, key, from, to) => settings.diff(own(owner), key, from, to),
      rollback: (owner, key, version, options) => settings.rollback(own(owner), key, version, options),
      delete: (owner, key, options) => settings.delete(own(owner), key, options),
    },
    inbox: {
      ask: (owner, item) => inbox.ask(own(owner), item),
      open: (owner) => inbox.open(own(owner)),
      get: (owner, id) => inbox.get(own(owner), id),
      answer: (owner, id, answer) => inbox.answer(own(owner), id, answer),
      withdraw: (owner, id) => inbox.withdraw(own(owner), id),
      withdrawAll: () => inbox.withdrawAll(),
    },
    activity: {
      record: (owner, entry) => activity.record(own(owner), entry),
      recordAll: (owner, entries) => activity.recordAll(own(owner), entries),
      recent: (owner, limit) => activity.recent(own(owner), limit),
    },
    audit: {
      recent: (owner, limit) => audit.recent(own(owner), limit),
      checkpoints: () => audit.checkpoints(),
      verify: (checkpoints) => audit.verify(checkpoints),
    },
    grants: {
      has: (grant) => grants.has(ofOwner(grant)),
      add: (grant) => grants.add(ofOwner(grant)),
      remove: (grant) => grants.remove(ofOwner(grant)),
      list: async (principal) =>
        (await grants.list(own(principal))).map((grant) => ({ ...grant, principal })),
    },
    pins: {
      get: (key) => pins.get(ofOwner(key)),
      set: (key, pin) => pins.set(ofOwner(key), pin),
      remove: (key) => pins.remove(ofOwner(key)),
    },
    inputs: {
      get: (key, destination) => inputs.get(ofOwner(key), destination),
      set: (key, value, destination) => inputs.set(ofOwner(key), value, destination),
      delete: (key) => inputs.delete(ofOwner(key)),
      list: (principal) => inputs.list(own(principal)),
      copy: (key, server) => inputs.copy(ofOwner(key), server),
    },
    trust: (owner) => lockbox.trust(own(owner)),
    credentials: (owner, options) => lockbox.credentials(own(owner), options),
    bearerTokens: {
      add: (token) => bearerTokens.add({ ...token, owner: own(token.owner) }),
      find: async (id) => [await bearerTokens.find(id)].flatMap((found) => found ?? []).map(bare)[0],
      list: async (owner, kind) => (await bearerTokens.list(own(owner), kind)).map(bare),
      listAll: async (kind) => (await bearerTokens.listAll(kind)).filter(isOwn).map(bare),
      recordUse: (owner, id, at) => bearerTokens.recordUse(own(owner), id, at),
      remove: (owner, id) => bearerTokens.remove(own(owner), id),
    },
    close: async () => lookInFiles(location, []),
  }
}
