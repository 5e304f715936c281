import type { Activity } from './activity.ts'
import type { Inbox } from './inbox.ts'
import type { Keyring } from './sealing/keyring.ts'
import type { Settings } from './settings.ts'

export type LockboxOptions = {
  /** A folder (an embedded database lives in it) or a `postgres://` address. */
  readonly location: string
  readonly keyring: Keyring
  readonly now?: () => Date
}

/** An open store. Whoever opened it closes it; `close()` waits for running transactions and may be called twice. */
export interface Lockbox {
  readonly settings: Settings
  readonly inbox: Inbox
  readonly activity: Activity
  close(): Promise<void>
}

/** Opens the store at `location`, bringing its schema up to date. Rejects with nothing left open. */
export function openLockbox(options: LockboxOptions): Promise<Lockbox> {
  return Promise.reject(new TypeError(`cannot open ${options.location}`))
}
