import { z } from 'zod'
import type { Problem } from './problem.ts'

/** Response of `GET /api/lockbox/keys`. Key ids are digests, safe to show. */
export interface StoreKeysResponse {
  /** Key that the store is encrypted with. */
  readonly wrappingKeyId: string
  /** Key that the next rotation encrypts it with, unless it makes a new one. */
  readonly preferredKeyId: string
  /** Data keys: all, those that were replaced, and those encrypted with another key than `preferredKeyId`. */
  readonly dataKeys: { readonly total: number; readonly retired: number; readonly otherWrappingKey: number }
  /** Encrypted values: all, and those encrypted with a data key that was replaced. */
  readonly values: { readonly total: number; readonly retired: number }
  /** The latest rotation of data keys. The times are ISO 8601. */
  readonly rotation: {
    readonly state: 'never' | 'unfinished' | 'finished'
    readonly startedAt?: string
    readonly finishedAt?: string
  }
}

/** Body of `POST /api/lockbox/keys/rotation`. */
export interface RotateRequest {
  /** Keys to replace. Default: `all`. */
  readonly keys?: 'all' | 'data' | 'wrapping' | undefined
}

/** Schema of `RotateRequest`. */
export const rotateRequestSchema: z.ZodType<RotateRequest> = z.strictObject({
  keys: z.enum(['all', 'data', 'wrapping'], { error: 'must be "all", "data" or "wrapping"' }).optional(),
})

/** Progress of one step of a rotation. */
export interface RotationStep {
  /** `wrapping`: data keys are encrypted with the new key. `keys`: owners get new data keys. `values`: values are encrypted. */
  readonly step: 'wrapping' | 'keys' | 'values'
  /** Number of those that are done. */
  readonly done: number
  /** Number of all. */
  readonly total: number
}

/** What a rotation did. */
export interface RotationResponse {
  /** Whether everything is encrypted with the new keys. */
  readonly isComplete: boolean
  /** Data keys that were encrypted with the current key. */
  readonly rewrappedKeys: number
  /** Owners that got a new data key. */
  readonly newDataKeys: number
  /** Values that were encrypted again. */
  readonly resealedValues: number
  /** Data keys that were deleted. */
  readonly deletedDataKeys: number
  /** Files that earlier keys were moved to. Only backups from before need them. */
  readonly retiredKeyFiles: readonly string[]
  /** The keys after the rotation. */
  readonly keys: StoreKeysResponse
}

/** An event of the stream that answers `POST /api/lockbox/keys/rotation`. */
export type RotationEvent =
  | ({ readonly type: 'progress' } & RotationStep)
  | { readonly type: 'done'; readonly report: RotationResponse }
  | { readonly type: 'failed'; readonly problem: Problem }
