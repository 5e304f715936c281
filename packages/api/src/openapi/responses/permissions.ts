import { z } from 'zod'
import {
  type DescribeRulesResponse,
  type DryRunResponse,
  type GrantsResponse,
  ownRulesSchema,
  type PermissionsResponse,
  type PinsResponse,
  type SavePermissionsResponse,
  type TestPermissionResponse,
} from '../../permissions.ts'
import { timeSchema } from './common.ts'

const verdictSchema = z.enum(['allow', 'ask', 'deny'])
const openVerdictSchema = z.enum(['allow', 'ask', 'deny', 'depends'])

export const permissionsResponseSchema: z.ZodType<PermissionsResponse> = z.object({
  rules: ownRulesSchema,
  version: z.int().exactOptional(),
  gatewayMode: z.enum(['ask', 'allow', 'yolo', 'plan']),
})

export const savePermissionsResponseSchema: z.ZodType<SavePermissionsResponse> = z.object({
  success: z.literal(true),
  version: z.int(),
})

export const describeRulesResponseSchema: z.ZodType<DescribeRulesResponse> = z.object({
  rules: z.array(
    z.object({
      kind: verdictSchema,
      index: z.int(),
      sentence: z.string(),
      tools: z.array(z.string()),
      toolCount: z.int(),
      dependsOnArguments: z.boolean(),
    }),
  ),
})

export const testPermissionResponseSchema: z.ZodType<TestPermissionResponse> = z.object({
  tool: z.object({ name: z.string(), server: z.string(), rawName: z.string() }),
  verdict: openVerdictSchema,
  reason: z.string(),
  controlFile: z.string().exactOptional(),
  isGranted: z.boolean(),
  steps: z.array(
    z.object({
      source: z.enum(['own', 'gateway', 'definition']),
      kind: z.enum(['allow', 'ask', 'deny', 'approve', 'definition', 'mode']),
      text: z.string(),
      match: z.enum(['yes', 'no', 'depends']),
      because: z.string().exactOptional(),
      decides: z.boolean(),
    }),
  ),
})

export const dryRunResponseSchema: z.ZodType<DryRunResponse> = z.object({
  changes: z.array(
    z.object({
      id: z.string(),
      at: timeSchema,
      tool: z.string(),
      server: z.string(),
      before: verdictSchema,
      after: openVerdictSchema,
      reason: z.string(),
    }),
  ),
  unchangedCount: z.int(),
})

export const grantsResponseSchema: z.ZodType<GrantsResponse> = z.object({
  grants: z.array(
    z.object({ id: z.string(), server: z.string(), tool: z.string(), asks: z.array(z.string()) }),
  ),
})

export const pinsResponseSchema: z.ZodType<PinsResponse> = z.object({
  pins: z.array(
    z.object({
      tool: z.string(),
      server: z.string(),
      rawName: z.string(),
      state: z.enum(['unchanged', 'changed', 'unreadable']),
      change: z.string().exactOptional(),
    }),
  ),
})
