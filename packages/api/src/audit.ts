import { z } from 'zod'

/** Response of `GET /api/lockbox/audit`: the newest entries first. */
export interface AuditResponse {
  readonly entries: readonly {
    /** Id of the process that wrote the entry. */
    readonly writer: string
    /** Number of the entry in the chain of its writer. */
    readonly number: number
    /** ISO 8601. */
    readonly at: string
    /** What was done with the value. */
    readonly action: 'read' | 'save' | 'remove' | 'refuse'
    /** Kind of the value. */
    readonly kind: string
    /** Name of the value; never the value. */
    readonly name: readonly string[]
  }[]
}

/** Query of `GET /api/lockbox/audit`. */
export interface AuditQuery {
  /** Number of entries, from 1 to 10,000. Default: 50. */
  readonly limit?: number | undefined
  /** The person whose entries are listed. Default: the local owner. */
  readonly owner?: string | undefined
}

/** Schema of `AuditQuery`. */
export const auditQuerySchema: z.ZodType<AuditQuery> = z.object({
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
  owner: z.string().optional(),
})

/** A place where the audit is not as it was written. */
export interface AuditProblemResponse {
  /** What was found. */
  readonly problem: 'changed' | 'missing' | 'truncated' | 'replaced'
  /** The chain. */
  readonly writer: string
  /** Number of the entry. */
  readonly number: number
}

/** A stored value that cannot be decrypted. */
export interface ValueProblemResponse {
  /** `damaged`: changed, moved or cut. `wrong_key`: encrypted with another key. `unknown_version`: of a newer program. */
  readonly problem: 'damaged' | 'wrong_key' | 'unknown_version'
  /** What the value is. */
  readonly kind: 'setting' | 'question' | 'answer' | 'activity' | 'record'
  /** Owner of the row. */
  readonly owner: string
  /** What identifies the row among those of its owner. */
  readonly name: readonly string[]
}

/** Response of `POST /api/lockbox/verification`. */
export interface VerificationResponse {
  /** Whether no problem was found. */
  readonly isIntact: boolean
  /** Number of chains and entries of the audit, and what was found. */
  readonly audit: {
    readonly writers: number
    readonly entries: number
    readonly problems: readonly AuditProblemResponse[]
  }
  /** Number of encrypted values, and those that cannot be decrypted. */
  readonly values: { readonly total: number; readonly problems: readonly ValueProblemResponse[] }
}

/** Body of `POST /api/lockbox/verification`. */
export interface VerificationRequest {
  /** Ends of chains that the gateway has logged. Default: none. */
  readonly checkpoints?:
    | readonly { readonly writer: string; readonly count: number; readonly head: string }[]
    | undefined
}

/** Schema of `VerificationRequest`. */
export const verificationRequestSchema: z.ZodType<VerificationRequest> = z.strictObject({
  checkpoints: z
    .array(z.strictObject({ writer: z.string(), count: z.int().positive(), head: z.string() }))
    .max(10_000)
    .optional(),
})
