import type { TrustStore } from '@toolbridge/bridge/config'
import type { GrantStore, PinStore } from '@toolbridge/bridge/permissions'
import { type Activity, createActivity } from './activity.ts'
import { type Audit, createAudit } from './audit/audit.ts'
import { auditedSettings } from './audit/audited-settings.ts'
import { type AuthStoreOf, createCredentials } from './credentials/credentials.ts'
import { type BearerTokens, createBearerTokens } from './bearer-tokens.ts'
import { type Database, openDatabase, openEngine } from './database/database.ts'
import type { Engine } from './database/engine.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { createGrants } from './records/grants.ts'
import { createInputs, type InputStore } from './records/inputs.ts'
import { createPins } from './records/pins.ts'
import { createRecords } from './records/sealed-records.ts'
import { createTrust } from './records/trust.ts'
import { checkKey, keyIdOfLockbox } from './sealing/key-check.ts'
import { type Keyring, type KeySource, openKeyring, reopenKeyring } from './sealing/keyring.ts'
import { createOwnerKeys } from './sealing/owner-keys.ts'
import { createSettings, type Settings } from './settings.ts'

/** Options of `openLockbox`. */
export type LockboxOptions = {
  /** Folder of the embedded database, or a `postgres://` URL. */
  readonly location: string
  /** The key, or its source. A missing key file is created for a new lockbox and rejected for an existing one. */
  readonly keyring: Keyring | KeySource
  /**
   * Rejects with `lockbox_in_use` while another process has the PostgreSQL database open with this option; a lost connection
   * is made again. A folder is always exclusive. Default: false.
   */
  readonly exclusive?: boolean
  /** Clock for the timestamps of rows. Default: the system clock. */
  readonly now?: () => Date
  /** Aborts the opening; the embedded database first finishes its current step. */
  readonly signal?: AbortSignal
}

/** An open store. */
export interface Lockbox {
  /** Versioned settings. */
  readonly settings: Settings
  /** Questions to people. */
  readonly inbox: Inbox
  /** Recent events. */
  readonly activity: Activity
  /** Tamper-evident record of every read of a secret. */
  readonly audit: Audit
  /** Permanent approvals of tools, for `BridgeOptions.grants`. */
  readonly grants: GrantStore
  /** Definitions of approved tools, for `BridgeOptions.pins`. */
  readonly pins: PinStore
  /** Values that people entered for their servers, for `inputAnswers`. */
  readonly inputs: InputStore
  /** Returns the entries of project files that an owner trusts, for `BridgeOptions.trust`. */
  trust(owner: string): TrustStore
  /** Returns the OAuth state of an owner, for `createAuthProvider`. */
  readonly credentials: AuthStoreOf
  /** API keys and sign-ins. */
  readonly bearerTokens: BearerTokens
  /** Waits for running operations and closes the database. Idempotent. */
  close(): Promise<void>
}

/** Opens the store at `location` and migrates its schema. Leaves nothing open when it rejects. */
export async function openLockbox(options: LockboxOptions): Promise<Lockbox> {
  const { location, keyring, exclusive, now = () => new Date(), signal } = options
  signal?.throwIfAborted()
  const engine = await openEngine(location, { exclusive, signal })
  const abort = (): void => engine.abort()
  signal?.addEventListener('abort', abort)
  try {
    signal?.throwIfAborted()
    const lockbox = await openLockboxOn(engine, keyring, now)
    signal?.throwIfAborted()
    return lockbox
  } catch (error) {
    // The first error is the cause; an error of closing would hide it.
    await engine.close().catch(() => {})
    throw signal?.aborted ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/** Opens the store on an open engine. Closing the lockbox closes the engine. */
export async function openLockboxOn(
  engine: Engine,
  keyring: Keyring | KeySource,
  now: () => Date,
): Promise<Lockbox> {
  const database = await openDatabase(engine)
  const opened = 'keyId' in keyring ? keyring : await openKeyringFor(database, keyring)
  await checkKey(database, opened)
  const keys = createOwnerKeys(database, opened, now)
  const audit = createAudit(database, keys, now)
  const records = createRecords(audit, keys, now)
  return {
    settings: auditedSettings(createSettings(database, keys, now), audit),
    inbox: createInbox(database, keys, now),
    activity: createActivity(database, keys),
    audit,
    grants: createGrants(records),
    pins: createPins(records),
    inputs: createInputs(records),
    trust: (owner) => createTrust(records, owner),
    credentials: createCredentials({ database, records, now }),
    bearerTokens: createBearerTokens(database, now),
    close: () => database.close(),
  }
}

async function openKeyringFor(database: Database, source: KeySource): Promise<Keyring> {
  const neededKeyId = await keyIdOfLockbox(database)
  return neededKeyId === undefined ? openKeyring(source) : reopenKeyring(source, neededKeyId)
}
