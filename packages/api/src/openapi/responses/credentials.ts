import { z } from 'zod'
import type { CredentialsResponse } from '../../credentials.ts'

export const credentialsResponseSchema: z.ZodType<CredentialsResponse> = z.object({
  inputs: z.array(z.object({ server: z.string(), id: z.string() })),
})
