import { z } from 'zod'
import type { CredentialsResponse } from '../../credentials.ts'

export const credentialsResponseSchema: z.ZodType<CredentialsResponse> = z.object({
  inputs: z.array(z.object({ server: z.string(), id: z.string() })),
  accounts: z.array(
    z.object({ id: z.string(), origin: z.string(), issuer: z.string(), servers: z.array(z.string()) }),
  ),
})
