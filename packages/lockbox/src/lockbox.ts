import type { TrustStore } from '@toolbridge/bridge/config'
import type { GrantStore, PinStore } from '@toolbridge/bridge/permissions'
import { type Activity, createActivity } from './activity.ts'
import { type Audit, createAudit } from './audit/audit.ts'
import type { AuditCheckpoint } from './audit/checkpoint.ts'
import { type AuthStoreOf, createCredentials } from './credentials/credentials.ts'
import { type BearerTokens, createBearerTokens } from './bearer-tokens.ts'
import { type Database, openDatabase, openEngine, requireSchema } from './database/database.ts'
import type { Engine } from './database/engine.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { createGrants } from './records/grants.ts'
import { createInputs, type InputStore } from './records/inputs.ts'
import { createPins } from './records/pins.ts'
import { createRecords } from './records/sealed-records.ts'
import { createTrust } from './records/trust.ts'
import { checkKey, keyIdOfLockbox } from './sealing/key-check.ts'
import { createLockboxKeys, type LockboxKeys } from './rotation/lockbox-keys.ts'
import {
  type Keyring,
  type Keyrings,
  type KeySource,
  openKeyrings,
  reopenKeyrings,
} from './sealing/keyring.ts'
import { createOwnerKeys } from './sealing/owner-keys.ts'
import { fixedWrappingKeys, type WrappingKeys, wrappingKeysOf } from './sealing/wrapping-keys.ts'
import { auditedSettings } from './settings/audited-settings.ts'
import { completeLimits, type SettingLimits } from './settings/limits.ts'
import { createSettings, type Settings } from './settings/settings.ts'
import { type LockboxVerification, verifyLockbox } from './verification/verify-lockbox.ts'

/** Options of `openLockbox`. */
export type LockboxOptions = {
  /** Folder of the embedded database, or a `postgres://` URL. */
  readonly location: string
  /**
   * The key, or its source. A missing key file is created for a new lockbox and rejected for an existing one. Of several keys, a
   * rotation encrypts everything with the first; the others still decrypt.
   */
  readonly keyring: Keyring | Keyrings | KeySource
  /**
   * Rejects with `lockbox_in_use` while another process has the PostgreSQL database open with this option; a lost connection
   * is made again. A folder is always exclusive. Default: false.
   */
  readonly exclusive?: boolean
  /** False to reject with `unreachable` if the database has no lockbox. Default: true, it is created. */
  readonly create?: boolean
  /** Limits of the settings of each owner. Default: those of `SettingLimits`. */
  readonly limits?: Partial<SettingLimits>
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
  /** The keys and their rotation. */
  readonly keys: LockboxKeys
  /**
   * Checks the chains of the audit, and that every value can be decrypted where it is. Finds entries that were removed from the
   * end of a chain only with a checkpoint. Does not count as a use of the values.
   */
  verify(checkpoints?: readonly AuditCheckpoint[]): Promise<LockboxVerification>
  /** Waits for running operations and closes the database. Idempotent. */
  close(): Promise<void>
}

/** Opens the store at `location` and migrates its schema. Leaves nothing open when it rejects. */
export async function openLockbox(options: LockboxOptions): Promise<Lockbox> {
  const { location, keyring, exclusive, create = true, now = () => new Date(), signal } = options
  const limits = completeLimits(options.limits)
  signal?.throwIfAborted()
  const engine = await openEngine(location, { exclusive, signal })
  const abort = (): void => engine.abort()
  signal?.addEventListener('abort', abort)
  try {
    signal?.throwIfAborted()
    if (!create) await requireSchema(engine)
    const lockbox = await openLockboxOn(engine, keyring, now, limits)
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
  keyring: LockboxOptions['keyring'],
  now: () => Date,
  limits: SettingLimits = completeLimits(),
): Promise<Lockbox> {
  const database = await openDatabase(engine)
  const wrapping = await openWrappingKeys(database, keyring)
  await checkKey(database, wrapping)
  const keys = createOwnerKeys(database, wrapping, now)
  const audit = createAudit(database, keys, now)
  const records = createRecords(audit, keys, now)
  return {
    settings: auditedSettings(createSettings({ database, audit, keys, now, limits }), audit),
    inbox: createInbox(database, keys, now),
    activity: createActivity(database, keys),
    audit,
    grants: createGrants(records),
    pins: createPins(records),
    inputs: createInputs(records),
    trust: (owner) => createTrust(records, owner),
    credentials: createCredentials({ database, records, now }),
    bearerTokens: createBearerTokens(database, now),
    keys: createLockboxKeys({ database, wrapping, ownerKeys: keys, now }),
    verify: (checkpoints) => verifyLockbox({ database, wrapping, audit }, checkpoints),
    close: () => database.close(),
  }
}

async function openWrappingKeys(
  database: Database,
  keyring: LockboxOptions['keyring'],
): Promise<WrappingKeys> {
  if ('keyId' in keyring) return fixedWrappingKeys([keyring])
  if ('length' in keyring) return fixedWrappingKeys(keyring)
  const neededKeyId = await keyIdOfLockbox(database)
  const keyrings =
    neededKeyId === undefined ? await openKeyrings(keyring) : await reopenKeyrings(keyring, neededKeyId)
  return wrappingKeysOf(keyring, keyrings)
}
