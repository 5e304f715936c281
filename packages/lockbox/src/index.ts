export type { Activity, ActivityEntry } from './activity.ts'
export type { Audit, AuditEntry, AuditEvent } from './audit/audit.ts'
export { type AuditCheckpoint, formatCheckpoint, parseCheckpoint } from './audit/checkpoint.ts'
export type { AuditProblem, AuditVerification } from './audit/verify-chains.ts'
export type {
  AuthStoreOf,
  ConnectedServer,
  CredentialsOptions,
  OwnerAuthStore,
} from './credentials/credentials.ts'
export type { BearerToken, BearerTokenKind, BearerTokens } from './bearer-tokens.ts'
export { isDatabaseUrl } from './database/database-url.ts'
export { LockboxError, type LockboxErrorCode, SealError, type SealErrorCode } from './errors.ts'
export type { Inbox, InboxItem } from './inbox.ts'
export { type Lockbox, type LockboxOptions, openLockbox } from './lockbox.ts'
export type { InputName, InputStore } from './records/inputs.ts'
export type { KeyStatus } from './rotation/key-status.ts'
export type {
  LockboxKeys,
  RotateOptions,
  RotationProgress,
  RotationReport,
} from './rotation/lockbox-keys.ts'
export { type Keyring, type Keyrings, type KeySource, openKeyring } from './sealing/keyring.ts'
export type { JsonType, SettingChange } from './settings/diff.ts'
export type { SettingLimits } from './settings/limits.ts'
export type {
  SavedSetting,
  SaveOptions,
  SettingKey,
  Settings,
  SettingVersion,
  StoredSetting,
} from './settings/settings.ts'
export { isStorable } from './storable.ts'
export type { ValueProblem, ValuesVerification } from './verification/verify-values.ts'
export type { LockboxVerification } from './verification/verify-lockbox.ts'
