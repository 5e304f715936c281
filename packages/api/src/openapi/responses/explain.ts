import { z } from 'zod'
import type { ExplainedDefinition, ExplainedIssue, ExplainedServer, ExplainResponse } from '../../explain.ts'
import type { FoundServersResponse } from '../../found.ts'
import type { ImportResponse } from '../../import.ts'
import { problemIssueSchema, timeSchema } from './common.ts'
import {
  programReportSchema,
  reportStateSchema,
  serverEntrySchema,
  timeoutsSchema,
  toolFilterSchema,
  variableReportSchema,
} from './servers.ts'

const position = {
  path: z.string().exactOptional(),
  line: z.int().exactOptional(),
  column: z.int().exactOptional(),
}
const approvalSchema = z.enum(['allow', 'ask', 'writes', 'deny'])

const issueSchema: z.ZodType<ExplainedIssue> = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  fix: z.string(),
  ...position,
})

const definitionSchema: z.ZodType<ExplainedDefinition> = z.object({
  transport: z.enum(['stdio', 'http', 'sse', 'ws']),
  program: programReportSchema.exactOptional(),
  environment: z
    .object({
      inherits: z.enum(['safe', 'all', 'none']),
      inheritsNames: z.array(z.string()),
      removes: z.array(z.string()),
      sets: z.array(z.string()),
      hasFile: z.boolean(),
      host: z.object({ title: z.string(), inherits: z.enum(['all', 'all but secrets']) }).exactOptional(),
    })
    .exactOptional(),
  url: z.string().exactOptional(),
  headers: z.array(z.string()).exactOptional(),
  hasHeadersHelper: z.boolean().exactOptional(),
  maySignIn: z.boolean().exactOptional(),
  variables: variableReportSchema,
  tools: toolFilterSchema,
  approval: z
    .object({
      default: approvalSchema.exactOptional(),
      tools: z.record(z.string(), approvalSchema).exactOptional(),
    })
    .exactOptional(),
  timeouts: timeoutsSchema,
  start: z.enum(['eager', 'lazy', 'on-demand']),
  replace: z.enum(['start-first', 'stop-first']),
  required: z.boolean(),
})

const explainedServerFields = {
  name: z.string(),
  state: reportStateSchema,
  reasons: z.array(
    z.object({ code: z.string(), message: z.string(), file: z.string(), fix: z.string(), ...position }),
  ),
  line: z.int().exactOptional(),
  column: z.int().exactOptional(),
  dialect: z.string().exactOptional(),
  definition: definitionSchema.exactOptional(),
  entry: serverEntrySchema.exactOptional(),
  asks: z
    .array(
      z.object({
        variable: z.string(),
        description: z.string().exactOptional(),
        isSecret: z.boolean().exactOptional(),
        default: z.string().exactOptional(),
        options: z.array(z.string()).exactOptional(),
      }),
    )
    .exactOptional(),
}

export const explainedServerSchema: z.ZodType<ExplainedServer> = z.object(explainedServerFields)

export const explainResponseSchema: z.ZodType<ExplainResponse> = z.object({
  kind: z.enum(['document', 'command', 'url']),
  dialect: z.string(),
  title: z.string(),
  servers: z.array(explainedServerSchema),
  fields: z.array(
    z.object({
      server: z.string(),
      path: z.string(),
      line: z.int(),
      column: z.int(),
      outcome: z.enum(['kept', 'translated', 'dropped', 'refused']),
      reason: z.string(),
    }),
  ),
  hostRules: z.array(z.object({ name: z.string(), value: z.unknown() })),
  issues: z.array(issueSchema),
})

export const foundServersResponseSchema: z.ZodType<FoundServersResponse> = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      dialect: z.string(),
      title: z.string(),
      scope: z.enum(['project', 'user', 'environment']),
      servers: z.array(z.object({ id: z.string(), ...explainedServerFields })),
      issues: z.array(issueSchema),
    }),
  ),
})

export const importResponseSchema: z.ZodType<ImportResponse> = z.object({
  success: z.literal(true),
  id: z.string(),
  version: z.int(),
  createdAt: timeSchema,
  warnings: z.array(problemIssueSchema).exactOptional(),
  servers: z.array(z.string()),
})
