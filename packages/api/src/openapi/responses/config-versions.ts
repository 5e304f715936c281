import { z } from 'zod'
import type { ConfigDiffResponse, ConfigVersionsResponse } from '../../config-versions.ts'
import { timeSchema } from './common.ts'

export const configVersionsResponseSchema: z.ZodType<ConfigVersionsResponse> = z.object({
  versions: z.array(
    z.object({
      version: z.int(),
      id: z.string(),
      createdAt: timeSchema,
      createdBy: z.string(),
      isCurrent: z.boolean(),
      lastUsedAt: timeSchema.exactOptional(),
    }),
  ),
})

const valueTypeSchema = z.enum(['null', 'boolean', 'number', 'string', 'array', 'object'])

export const configDiffResponseSchema: z.ZodType<ConfigDiffResponse> = z.object({
  from: z.int(),
  to: z.int(),
  changes: z.array(
    z.object({
      path: z.string(),
      before: valueTypeSchema.exactOptional(),
      after: valueTypeSchema.exactOptional(),
      beforeText: z.string().exactOptional(),
      afterText: z.string().exactOptional(),
    }),
  ),
})
