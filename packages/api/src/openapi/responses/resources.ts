import { z } from 'zod'
import type {
  CompleteArgumentResponse,
  GetPromptResponse,
  PromptSummary,
  PromptsResponse,
  ReadResourceResponse,
  ResourceSummary,
  ResourcesResponse,
  ResourceTemplateSummary,
  SubscribeResourceResponse,
} from '../../resources.ts'
import { timeSchema } from './common.ts'
import { contentBlockSchema } from './tools.ts'

const described = {
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
}
const commons = {
  server: z.string(),
  name: z.string(),
  ...described,
  mimeType: z.string().exactOptional(),
}

export const resourceSummarySchema: z.ZodType<ResourceSummary> = z.object({
  ...commons,
  uri: z.string(),
  size: z.number().exactOptional(),
})

export const resourceTemplateSummarySchema: z.ZodType<ResourceTemplateSummary> = z.object({
  ...commons,
  uriTemplate: z.string(),
})

export const resourcesResponseSchema: z.ZodType<ResourcesResponse> = z.object({
  resources: z.array(resourceSummarySchema),
  templates: z.array(resourceTemplateSummarySchema),
})

/** Results of MCP may have further fields. */
export const readResourceResponseSchema: z.ZodType<ReadResourceResponse> = z.looseObject({
  contents: z.array(
    z.looseObject({
      uri: z.string(),
      mimeType: z.string().exactOptional(),
      text: z.string().exactOptional(),
      blob: z.string().exactOptional(),
    }),
  ),
})

export const subscribeResourceResponseSchema: z.ZodType<SubscribeResourceResponse> = z.object({
  expiresAt: timeSchema,
})

export const promptSummarySchema: z.ZodType<PromptSummary> = z.object({
  server: z.string(),
  name: z.string(),
  ...described,
  arguments: z
    .array(z.object({ name: z.string(), ...described, required: z.boolean().exactOptional() }))
    .exactOptional(),
})

export const promptsResponseSchema: z.ZodType<PromptsResponse> = z.object({
  prompts: z.array(promptSummarySchema),
})

export const getPromptResponseSchema: z.ZodType<GetPromptResponse> = z.looseObject({
  description: z.string().exactOptional(),
  messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant']), content: contentBlockSchema })),
})

export const completeArgumentResponseSchema: z.ZodType<CompleteArgumentResponse> = z.looseObject({
  values: z.array(z.string()),
  total: z.number().exactOptional(),
  hasMore: z.boolean().exactOptional(),
})
