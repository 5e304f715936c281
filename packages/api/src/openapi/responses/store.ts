import { z } from 'zod'
import type { AuditResponse, VerificationResponse } from '../../audit.ts'
import type { RotationEvent, StoreKeysResponse } from '../../store-keys.ts'
import { problemSchema, timeSchema } from './common.ts'

export const storeKeysResponseSchema: z.ZodType<StoreKeysResponse> = z.object({
  wrappingKeyId: z.string(),
  preferredKeyId: z.string(),
  dataKeys: z.object({ total: z.int(), retired: z.int(), otherWrappingKey: z.int() }),
  values: z.object({ total: z.int(), retired: z.int() }),
  rotation: z.object({
    state: z.enum(['never', 'unfinished', 'finished']),
    startedAt: timeSchema.exactOptional(),
    finishedAt: timeSchema.exactOptional(),
  }),
})

const rotationResponseSchema = z.object({
  isComplete: z.boolean(),
  rewrappedKeys: z.int(),
  newDataKeys: z.int(),
  resealedValues: z.int(),
  deletedDataKeys: z.int(),
  retiredKeyFiles: z.array(z.string()),
  keys: storeKeysResponseSchema,
})

export const rotationEventSchema: z.ZodType<RotationEvent> = z.union([
  z.object({
    type: z.literal('progress'),
    step: z.enum(['wrapping', 'keys', 'values']),
    done: z.int(),
    total: z.int(),
  }),
  z.object({ type: z.literal('done'), report: rotationResponseSchema }),
  z.object({ type: z.literal('failed'), problem: problemSchema }),
])

export const auditResponseSchema: z.ZodType<AuditResponse> = z.object({
  entries: z.array(
    z.object({
      writer: z.string(),
      number: z.int(),
      at: timeSchema,
      action: z.enum(['read', 'save', 'remove', 'refuse']),
      kind: z.string(),
      name: z.array(z.string()),
    }),
  ),
})

export const verificationResponseSchema: z.ZodType<VerificationResponse> = z.object({
  isIntact: z.boolean(),
  audit: z.object({
    writers: z.int(),
    entries: z.int(),
    problems: z.array(
      z.object({
        problem: z.enum(['changed', 'missing', 'truncated', 'replaced']),
        writer: z.string(),
        number: z.int(),
      }),
    ),
  }),
  values: z.object({
    total: z.int(),
    problems: z.array(
      z.object({
        problem: z.enum(['damaged', 'wrong_key', 'unknown_version']),
        kind: z.enum(['setting', 'question', 'answer', 'activity', 'record']),
        owner: z.string(),
        name: z.array(z.string()),
      }),
    ),
  }),
})
