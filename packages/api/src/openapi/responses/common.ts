import { z } from 'zod'
import { destinationChangeSchema } from '../../destination-change.ts'
import type { Problem, ProblemIssue } from '../../problem.ts'

/** A time, as ISO 8601. */
export const timeSchema: z.ZodType<string> = z.iso.datetime()

/** An object of unknown fields. */
export const objectSchema: z.ZodType<Readonly<Record<string, unknown>>> = z.record(z.string(), z.unknown())

/** Response of requests that return nothing else. */
export const successSchema: z.ZodType<{ readonly success: true }> = z.object({ success: z.literal(true) })

export const problemIssueSchema: z.ZodType<ProblemIssue> = z.object({
  path: z.string(),
  message: z.string(),
  line: z.int().exactOptional(),
  column: z.int().exactOptional(),
})

export const problemSchema: z.ZodType<Problem> = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string().exactOptional(),
  issues: z.array(problemIssueSchema).exactOptional(),
  versions: z.object({ expected: z.int(), current: z.int() }).exactOptional(),
  retryAfterSeconds: z.int().exactOptional(),
  destinations: z.array(destinationChangeSchema).exactOptional(),
})
