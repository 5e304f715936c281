import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type Lockbox, openKeyring, openLockbox } from '@toolbridge/lockbox'
import { openPgliteFromImage } from '@toolbridge/testkit/databases'

/** One database per worker: starting PGlite costs more than most test files. */
const shared: { lockbox?: Promise<Lockbox> } = {}

/** A store that is empty at first. It has its own owners in the database of the worker. */
export async function openTestLockbox(): Promise<Lockbox> {
  shared.lockbox ??= openShared()
  return withOwnersOf(await shared.lockbox, randomBytes(4).toString('hex'))
}

async function openShared(): Promise<Lockbox> {
  const { location } = await openPgliteFromImage()
  process.once('exit', () => rmSync(location, { recursive: true, force: true }))
  const keyring = await openKeyring({ key: randomBytes(32).toString('hex') })
  return openLockbox({ location, keyring })
}

function withOwnersOf({ settings, inbox, activity }: Lockbox, scope: string): Lockbox {
  const own = (owner: string): string => `${scope}:${owner}`
  return {
    settings: {
      read: (owner, key) => settings.read(own(owner), key),
      readVersion: (owner, key, version) => settings.readVersion(own(owner), key, version),
      save: (owner, key, value, options) => settings.save(own(owner), key, value, options),
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
      recent: (owner, limit) => activity.recent(own(owner), limit),
    },
    close: async () => undefined,
  }
}
