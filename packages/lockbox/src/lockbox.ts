import { type Activity, createActivity } from './activity.ts'
import { openDatabase, openEngine } from './database/database.ts'
import type { Engine } from './database/engine.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { createOwnerKeys } from './sealing/envelope.ts'
import { checkKey } from './sealing/key-check.ts'
import type { Keyring } from './sealing/keyring.ts'
import { createSettings, type Settings } from './settings.ts'

/** What a lockbox needs to open. */
export type LockboxOptions = {
  /** A folder (an embedded database lives in it) or a `postgres://` address. */
  readonly location: string
  readonly keyring: Keyring
  readonly now?: () => Date
}

/** An open store. Whoever opened it closes it; `close()` waits for what is running and may be called twice. */
export interface Lockbox {
  readonly settings: Settings
  readonly inbox: Inbox
  readonly activity: Activity
  close(): Promise<void>
}

/** Opens the store at `location`, bringing its schema up to date. Rejects with nothing left open. */
export async function openLockbox(options: LockboxOptions): Promise<Lockbox> {
  const { location, keyring, now = () => new Date() } = options
  const engine = await openEngine(location)
  try {
    return await openLockboxOn(engine, keyring, now)
  } catch (error) {
    // The first failure explains any that follows from it.
    await engine.close().catch(() => {})
    throw error
  }
}

/** The store on an engine that is open already; closing the lockbox closes the engine. */
export async function openLockboxOn(engine: Engine, keyring: Keyring, now: () => Date): Promise<Lockbox> {
  const database = await openDatabase(engine)
  await checkKey(database, keyring)
  const keys = createOwnerKeys(database, keyring, now)
  return {
    settings: createSettings(database, keys, now),
    inbox: createInbox(database, keys, now),
    activity: createActivity(database, keys),
    close: () => database.close(),
  }
}
