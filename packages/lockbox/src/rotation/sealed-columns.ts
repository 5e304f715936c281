import { sealedActivity } from '../activity.ts'
import { sealedInbox } from '../inbox.ts'
import { sealedRecords } from '../records/sealed-records.ts'
import type { SealedColumn } from '../sealing/sealed-column.ts'
import { sealedSettings } from '../settings/rows.ts'

/**
 * Every column with encrypted values. A rotation encrypts them again. Not the audit: its entries cannot be changed, so
 * the data key of `AUDIT_OWNER` is not replaced.
 */
export const sealedColumns: readonly SealedColumn[] = [
  sealedSettings,
  ...sealedInbox,
  sealedActivity,
  sealedRecords,
]
