import { z } from 'zod'
import {
  type ConfigResponse,
  keptSecretSchema,
  type SaveConfigResponse,
  type ServerEntry,
} from '../../config.ts'
import type { FinishServerSignInResponse, ServerSignInResponse } from '../../accounts.ts'
import type {
  DefinitionReport,
  SavedServerResponse,
  ServerState,
  ServerStatus,
  ServersResponse,
} from '../../servers.ts'
import { problemIssueSchema, timeSchema } from './common.ts'

type Definition = NonNullable<DefinitionReport['definition']>

const secretSchema = z.union([z.string(), keptSecretSchema])
const secretsSchema = z.record(z.string(), secretSchema)

/** Unknown fields are kept, so the objects are open. */
export const serverEntrySchema: z.ZodType<ServerEntry> = z.union([
  z.looseObject({
    type: z.literal('stdio').exactOptional(),
    command: secretSchema,
    args: z.array(secretSchema).exactOptional(),
    env: secretsSchema.exactOptional(),
    disabled: z.boolean().exactOptional(),
  }),
  z.looseObject({
    type: z
      .enum(['http', 'streamable-http', 'streamableHttp', 'streamable_http', 'sse', 'ws'])
      .exactOptional(),
    url: secretSchema,
    headers: secretsSchema.exactOptional(),
    disabled: z.boolean().exactOptional(),
  }),
])

export const savedServerResponseSchema: z.ZodType<SavedServerResponse> = z.object({
  name: z.string(),
  server: serverEntrySchema,
  version: z.int(),
})

export const serverSignInResponseSchema: z.ZodType<ServerSignInResponse> = z.object({ url: z.string() })

export const finishServerSignInResponseSchema: z.ZodType<FinishServerSignInResponse> = z.object({
  server: z.string(),
})

export const configResponseSchema: z.ZodType<ConfigResponse> = z.object({
  mcpServers: z.record(z.string(), serverEntrySchema),
  version: z.int().exactOptional(),
})

export const saveConfigResponseSchema: z.ZodType<SaveConfigResponse> = z.object({
  success: z.literal(true),
  id: z.string(),
  version: z.int(),
  createdAt: timeSchema,
  warnings: z.array(problemIssueSchema).exactOptional(),
})

export const reportStateSchema: z.ZodType<DefinitionReport['state']> = z.enum([
  'on',
  'off',
  'untrusted',
  'refused',
  'failing',
])

export const programReportSchema: z.ZodType<NonNullable<Definition['program']>> = z.object({
  command: z.string(),
  path: z.string().exactOptional(),
  isFound: z.boolean().exactOptional(),
  argumentCount: z.int(),
})

export const variableReportSchema: z.ZodType<Definition['variables']> = z.object({
  missing: z.array(z.string()),
  missingBecomes: z.enum(['empty', 'keep', 'error', 'drop']),
  inputs: z.array(z.string()),
  secrets: z.array(z.string()),
})

export const toolFilterSchema: z.ZodType<Definition['tools']> = z.object({
  allow: z.array(z.string()).exactOptional(),
  deny: z.array(z.string()).exactOptional(),
  readOnly: z.boolean(),
})

export const timeoutsSchema: z.ZodType<Definition['timeouts']> = z.object({
  startMs: z.number(),
  callMs: z.number(),
})

const definitionReportSchema: z.ZodType<DefinitionReport> = z.object({
  state: reportStateSchema,
  reasons: z.array(z.object({ code: z.string(), message: z.string(), fix: z.string() })),
  definition: z
    .object({
      program: programReportSchema.exactOptional(),
      url: z.string().exactOptional(),
      headers: z.array(z.string()).exactOptional(),
      variables: variableReportSchema,
      tools: toolFilterSchema,
      timeouts: timeoutsSchema,
    })
    .exactOptional(),
})

export const serverStateSchema: z.ZodType<ServerState> = z.enum([
  'stopped',
  'starting',
  'ready',
  'degraded',
  'down',
  'failed',
  'disabled',
  'untrusted',
  'unauthorized',
])

export const serverStatusSchema: z.ZodType<ServerStatus> = z.object({
  name: z.string(),
  scope: z.enum(['operator', 'user']),
  transport: z.enum(['stdio', 'http', 'sse', 'ws']),
  state: serverStateSchema,
  since: timeSchema.exactOptional(),
  restarts: z.int().exactOptional(),
  retryAt: timeSchema.exactOptional(),
  toolCount: z.int(),
  // Servers may add fields, such as a title.
  serverInfo: z.looseObject({ name: z.string(), version: z.string() }).exactOptional(),
  protocolVersion: z.string().exactOptional(),
  startedInMs: z.number().exactOptional(),
  error: z.string().exactOptional(),
  stderr: z.array(z.string()).exactOptional(),
  failedReplacement: z
    .object({ error: z.string(), stderr: z.array(z.string()).exactOptional() })
    .exactOptional(),
  report: definitionReportSchema.exactOptional(),
  canSignIn: z.literal(true).exactOptional(),
})

export const serversResponseSchema: z.ZodType<ServersResponse> = z.object({
  servers: z.array(serverStatusSchema),
})
