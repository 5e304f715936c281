import type { Audit } from '../audit/audit.ts'
import type { AuditCheckpoint } from '../audit/checkpoint.ts'
import type { AuditVerification } from '../audit/verify-chains.ts'
import type { Database } from '../database/database.ts'
import type { WrappingKeys } from '../sealing/wrapping-keys.ts'
import { type ValuesVerification, verifyValues } from './verify-values.ts'

/** The result of `Lockbox.verify`. */
export type LockboxVerification = {
  /** Whether no problem was found. */
  readonly isIntact: boolean
  /** The chains of the audit. */
  readonly audit: AuditVerification
  /** The encrypted values. */
  readonly values: ValuesVerification
}

/** What a verification needs. */
export type VerificationOptions = {
  readonly database: Database
  readonly wrapping: WrappingKeys
  readonly audit: Audit
}

/** Checks the audit and all values. */
export async function verifyLockbox(
  { database, wrapping, audit: log }: VerificationOptions,
  checkpoints: readonly AuditCheckpoint[] = [],
): Promise<LockboxVerification> {
  const audit = await log.verify(checkpoints)
  const values = await verifyValues(database, wrapping)
  return { isIntact: audit.problems.length + values.problems.length === 0, audit, values }
}
