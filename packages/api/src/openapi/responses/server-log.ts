import { z } from 'zod'
import type { ServerLogEvent } from '../../server-log.ts'
import { timeSchema } from './common.ts'
import { serverStateSchema } from './servers.ts'

const entries = {
  history: z.array(
    z.object({
      number: z.int(),
      at: timeSchema,
      event: z.union([serverStateSchema, z.enum(['restart', 'replaced'])]),
      error: z.string().exactOptional(),
    }),
  ),
  stderr: z.array(z.object({ number: z.int(), at: timeSchema.exactOptional(), text: z.string() })),
  messages: z.array(
    z.object({
      number: z.int(),
      at: timeSchema,
      connection: z.int(),
      direction: z.enum(['sent', 'received']),
      id: z.union([z.number(), z.string()]).exactOptional(),
      method: z.string().exactOptional(),
      bytes: z.int(),
      text: z.string(),
      isShortened: z.literal(true).exactOptional(),
    }),
  ),
}

export const serverLogEventSchema: z.ZodType<ServerLogEvent> = z.union([
  z.object({ type: z.literal('begin'), ...entries }),
  z.object({ type: z.literal('more'), ...entries }),
])
