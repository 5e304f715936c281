import { z } from 'zod'
import {
  type ActivityEntry,
  activityOutcomes,
  type ActivityResponse,
  type ActivityTraceResponse,
} from '../../activity.ts'
import type { GatewayEvent } from '../../events.ts'
import { timeSchema } from './common.ts'
import { connectedHostSchema } from './hosts.ts'
import { startedCallSchema } from './started-calls.ts'

export const activityEntrySchema: z.ZodType<ActivityEntry> = z.object({
  id: z.string(),
  at: timeSchema,
  tool: z.string(),
  server: z.string(),
  conversation: z.string(),
  host: z.string().exactOptional(),
  latencyMs: z.number(),
  outcome: z.enum(activityOutcomes),
  error: z.string().exactOptional(),
  parent: z.string().exactOptional(),
})

export const activityResponseSchema: z.ZodType<ActivityResponse> = z.object({
  entries: z.array(activityEntrySchema),
  next: z.string().exactOptional(),
})

const shownJsonSchema = z.object({ text: z.string(), omitted: z.int() })

export const activityTraceResponseSchema: z.ZodType<ActivityTraceResponse> = z.object({
  entry: activityEntrySchema,
  rawName: z.string(),
  permission: z.object({ verdict: z.enum(['allow', 'deny']), reason: z.string() }).exactOptional(),
  questions: z.array(
    z.object({
      kind: z.enum(['form', 'approval', 'url', 'input', 'consent']),
      askedAt: timeSchema,
      answeredAt: timeSchema.exactOptional(),
      action: z.enum(['accept', 'decline', 'cancel']).exactOptional(),
    }),
  ),
  arguments: shownJsonSchema.exactOptional(),
  result: shownJsonSchema.exactOptional(),
  calls: z.array(activityEntrySchema),
})

export const gatewayEventSchema: z.ZodType<GatewayEvent> = z.union([
  z.object({ type: z.literal('hello') }),
  z.object({ type: z.literal('inbox') }),
  z.object({ type: z.literal('servers') }),
  z.object({ type: z.literal('tools') }),
  z.object({ type: z.literal('resources') }),
  z.object({ type: z.literal('prompts') }),
  z.object({ type: z.literal('config'), version: z.int() }),
  z.object({ type: z.literal('permissions'), version: z.int() }),
  z.object({ type: z.literal('host'), host: connectedHostSchema }),
  z.object({ type: z.literal('activity'), entry: activityEntrySchema }),
  z.object({ type: z.literal('call'), call: startedCallSchema }),
  z.object({
    type: z.literal('resource'),
    server: z.string(),
    uri: z.string(),
    change: z.enum(['updated', 'ended']),
  }),
])
