import { z } from 'zod'

/** What was done with a stored value of the caller. Never contains the value. */
export interface OwnAuditEntry {
  /** Time, as ISO 8601. */
  readonly at: string
  /** `read`: a secret was decrypted. `refuse`: it was not, because it was asked for another destination. */
  readonly action: string
  /** Kind of the value, such as `setting` or `input`. */
  readonly kind: string
  /** Name of the value within its kind. */
  readonly name: readonly string[]
}

/** Query of `GET /api/audit`. */
export interface OwnAuditQuery {
  /** Number of entries, from 1 to 500. Default: 100. */
  readonly limit?: number | undefined
}

/** Schema of `OwnAuditQuery`. */
export const ownAuditQuerySchema: z.ZodType<OwnAuditQuery> = z.object({
  limit: z.coerce.number().int().min(1).max(500).optional(),
})

/** Response of `GET /api/audit`. */
export interface OwnAuditResponse {
  /** The latest uses of the caller's stored values, newest first. */
  readonly entries: readonly OwnAuditEntry[]
}
