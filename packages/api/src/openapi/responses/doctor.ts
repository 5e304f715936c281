import { z } from 'zod'
import type { DoctorEvent, DoctorFinding } from '../../doctor.ts'
import { objectSchema, problemSchema } from './common.ts'

export const doctorFindingSchema: z.ZodType<DoctorFinding> = z.object({
  server: z.string().exactOptional(),
  stage: z.string(),
  outcome: z.enum(['ok', 'warning', 'error', 'skipped']),
  code: z.string(),
  seen: z.string(),
  fix: z.string().exactOptional(),
  edit: z
    .union([
      z.object({ kind: z.enum(['url', 'deny', 'remove']), value: z.string() }),
      z.object({ kind: z.literal('startMs'), value: z.number() }),
    ])
    .exactOptional(),
  location: z
    .object({
      file: z.string(),
      path: z.string().exactOptional(),
      line: z.int().exactOptional(),
      column: z.int().exactOptional(),
    })
    .exactOptional(),
  facts: objectSchema.exactOptional(),
  stderr: z.array(z.string()).exactOptional(),
})

export const doctorEventSchema: z.ZodType<DoctorEvent> = z.union([
  z.object({ type: z.literal('finding'), finding: doctorFindingSchema }),
  z.object({ type: z.literal('done'), outcome: z.enum(['ok', 'warning', 'error']) }),
  z.object({ type: z.literal('failed'), problem: problemSchema }),
])
