import { z } from 'zod'
import {
  type StartCallResponse,
  type StartedCall,
  type StartedCallResponse,
  type StartedCallsResponse,
  startedCallStates,
} from '../../started-calls.ts'
import { objectSchema, problemSchema, timeSchema } from './common.ts'
import { callToolResponseSchema } from './tools.ts'

export const startedCallSchema: z.ZodType<StartedCall> = z.object({
  id: z.string(),
  tool: z.string(),
  state: z.enum(startedCallStates),
  startedAt: timeSchema,
  endedAt: timeSchema.exactOptional(),
  progress: z
    .object({
      progress: z.number(),
      total: z.number().exactOptional(),
      message: z.string().exactOptional(),
    })
    .exactOptional(),
  logCount: z.int(),
  activity: z.string().exactOptional(),
})

export const startedCallsResponseSchema: z.ZodType<StartedCallsResponse> = z.object({
  calls: z.array(startedCallSchema),
})

export const startCallResponseSchema: z.ZodType<StartCallResponse> = z.object({ call: startedCallSchema })

export const startedCallResponseSchema: z.ZodType<StartedCallResponse> = z.object({
  call: startedCallSchema,
  arguments: objectSchema,
  logs: z.array(
    z.object({
      at: timeSchema,
      level: z.string(),
      logger: z.string().exactOptional(),
      message: z.string(),
    }),
  ),
  result: callToolResponseSchema.exactOptional(),
  problem: problemSchema.exactOptional(),
})
