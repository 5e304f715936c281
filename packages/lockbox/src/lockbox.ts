import { type Activity, createActivity } from './activity.ts'
import { type Database, openDatabase, openEngine } from './database/database.ts'
import type { Engine } from './database/engine.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { checkKey, keyIdOfLockbox } from './sealing/key-check.ts'
import { type Keyring, type KeySource, openKeyring, reopenKeyring } from './sealing/keyring.ts'
import { createOwnerKeys } from './sealing/owner-keys.ts'
import { createSettings, type Settings } from './settings.ts'

/** What a lockbox needs to open. */
export type LockboxOptions = {
  /** A folder (an embedded database lives in it) or a `postgres://` address. */
  readonly location: string
  /** The key, or where it is. A key file that is missing is made for a new lockbox and missed for any other. */
  readonly keyring: Keyring | KeySource
  readonly now?: () => Date
  /** Aborting breaks off the opening; the embedded database ends the step it is at. */
  readonly signal?: AbortSignal
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
  const { location, keyring, now = () => new Date(), signal } = options
  signal?.throwIfAborted()
  const engine = await openEngine(location, signal)
  const breakOff = (): void => engine.abort()
  signal?.addEventListener('abort', breakOff)
  try {
    signal?.throwIfAborted()
    const lockbox = await openLockboxOn(engine, keyring, now)
    signal?.throwIfAborted()
    return lockbox
  } catch (error) {
    // The first failure explains any that follows from it.
    await engine.close().catch(() => {})
    throw signal?.aborted ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', breakOff)
  }
}

/** The store on an engine that is open already; closing the lockbox closes the engine. */
export async function openLockboxOn(
  engine: Engine,
  keyring: Keyring | KeySource,
  now: () => Date,
): Promise<Lockbox> {
  const database = await openDatabase(engine)
  const opened = 'keyId' in keyring ? keyring : await openKeyringFor(database, keyring)
  await checkKey(database, opened)
  const keys = createOwnerKeys(database, opened, now)
  return {
    settings: createSettings(database, keys, now),
    inbox: createInbox(database, keys, now),
    activity: createActivity(database, keys),
    close: () => database.close(),
  }
}

async function openKeyringFor(database: Database, source: KeySource): Promise<Keyring> {
  const neededKeyId = await keyIdOfLockbox(database)
  return neededKeyId === undefined ? openKeyring(source) : reopenKeyring(source, neededKeyId)
}
