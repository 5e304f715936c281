import { z } from 'zod'
import type { InboxItem, InboxResponse } from '../../inbox.ts'
import { objectSchema, timeSchema } from './common.ts'

const commons = {
  id: z.string(),
  askedAt: timeSchema,
  server: z.string(),
  tool: z.string().exactOptional(),
  host: z.string().exactOptional(),
  message: z.string(),
}

const pageSchema = z.object({ url: z.string(), host: z.string(), warnings: z.array(z.string()) })

export const inboxItemSchema: z.ZodType<InboxItem> = z.union([
  z.object({
    ...commons,
    kind: z.literal('input'),
    input: z.object({
      id: z.string(),
      isSecret: z.boolean(),
      options: z.array(z.string()).exactOptional(),
      default: z.string().exactOptional(),
    }),
  }),
  z.object({ ...commons, kind: z.literal('form'), schema: objectSchema }),
  z.object({
    ...commons,
    kind: z.literal('approval'),
    detail: z.string(),
    arguments: z.object({ text: z.string(), omitted: z.int() }),
    decisions: z.array(z.enum(['once', 'session', 'tool', 'always'])),
  }),
  z.object({ ...commons, kind: z.literal('url'), page: pageSchema }),
  z.object({ ...commons, kind: z.literal('consent'), page: pageSchema, scopes: z.array(z.string()) }),
])

export const inboxResponseSchema: z.ZodType<InboxResponse> = z.object({ items: z.array(inboxItemSchema) })
