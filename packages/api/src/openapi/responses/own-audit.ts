import { z } from 'zod'
import type { OwnAuditResponse } from '../../own-audit.ts'
import { timeSchema } from './common.ts'

export const ownAuditResponseSchema: z.ZodType<OwnAuditResponse> = z.object({
  entries: z.array(
    z.object({ at: timeSchema, action: z.string(), kind: z.string(), name: z.array(z.string()) }),
  ),
})
