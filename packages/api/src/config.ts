import { z } from 'zod'

/** Stands for a secret that the gateway keeps and does not show: the value it had in that version of the settings. */
export const keptSecretSchema: z.ZodType<KeptSecret> = z.strictObject({ kept: z.int().positive() })
export interface KeptSecret {
  readonly kept: number
}

const secretValueSchema = z.union([z.string(), keptSecretSchema])
const secretMapSchema = z.record(z.string(), secretValueSchema)

const stdioServerSchema = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()),
  env: secretMapSchema.optional(),
  disabled: z.boolean().optional(),
})

const httpServerSchema = z.strictObject({
  type: z.enum(['http', 'streamable-http']).optional(),
  url: z.url(),
  headers: secretMapSchema.optional(),
  disabled: z.boolean().optional(),
})

export type SecretMap = Readonly<Record<string, string | KeptSecret>>

export interface StdioServerEntry {
  readonly type?: 'stdio' | undefined
  readonly command: string
  readonly args: readonly string[]
  readonly env?: SecretMap | undefined
  readonly disabled?: boolean | undefined
}

export interface HttpServerEntry {
  readonly type?: 'http' | 'streamable-http' | undefined
  readonly url: string
  readonly headers?: SecretMap | undefined
  readonly disabled?: boolean | undefined
}

/** One server as a user of the gateway writes it. Secrets in `env` and `headers` may be references to kept values. */
export type ServerEntry = StdioServerEntry | HttpServerEntry

export const serverEntrySchema: z.ZodType<ServerEntry> = z.union([stdioServerSchema, httpServerSchema])

/** Body of `POST /api/mcp/config`. With `version`, the save is refused (409) unless that is still the current one. */
export interface SaveConfigRequest {
  readonly mcpServers: Readonly<Record<string, ServerEntry>>
  readonly version?: number | undefined
}

export const saveConfigRequestSchema: z.ZodType<SaveConfigRequest> = z.strictObject({
  mcpServers: z.record(z.string().min(1), serverEntrySchema),
  version: z.int().nonnegative().optional(),
})

export interface SaveConfigResponse {
  readonly success: true
  readonly id: string
  readonly version: number
  readonly createdAt: string
}

/** Answer of `GET /api/mcp/config`; `version` is absent when nothing was ever saved. */
export interface ConfigResponse {
  readonly mcpServers: Readonly<Record<string, ServerEntry>>
  readonly version?: number
}
