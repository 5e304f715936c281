import { z } from 'zod'
import type { CreateKeyResponse, KeySummary, KeysResponse } from '../../keys.ts'
import type {
  RemovePersonResponse,
  SignInCodeResponse,
  SignInOptionsResponse,
  SignInResponse,
} from '../../sign-in.ts'
import { timeSchema } from './common.ts'

export const signInOptionsResponseSchema: z.ZodType<SignInOptionsResponse> = z.object({
  issuer: z
    .object({
      issuer: z.string(),
      authorizationEndpoint: z.string(),
      clientId: z.string(),
      redirectUri: z.string(),
      scope: z.string(),
    })
    .nullable(),
})

export const signInResponseSchema: z.ZodType<SignInResponse> = z.object({
  token: z.string(),
  principal: z.string(),
})

export const signInCodeResponseSchema: z.ZodType<SignInCodeResponse> = z.object({ code: z.string() })

export const removePersonResponseSchema: z.ZodType<RemovePersonResponse> = z.object({
  keys: z.int(),
  signIns: z.int(),
})

export const keySummarySchema: z.ZodType<KeySummary> = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string(),
  scopes: z.array(z.enum(['api', 'mcp'])),
  createdAt: timeSchema,
  expiresAt: timeSchema,
  lastUsedAt: timeSchema.exactOptional(),
})

export const keysResponseSchema: z.ZodType<KeysResponse> = z.object({ keys: z.array(keySummarySchema) })

export const createKeyResponseSchema: z.ZodType<CreateKeyResponse> = z.object({
  key: keySummarySchema,
  token: z.string(),
})
