import { z } from 'zod'

/** Stands for a secret that the gateway keeps and does not show: the value it had in that version of the settings. */
export const keptSecretSchema: z.ZodType<KeptSecret> = z.strictObject({ kept: z.int32().positive() })
export interface KeptSecret {
  readonly kept: number
}

const secretValueSchema = z.union([z.string(), keptSecretSchema], {
  error: 'must be a string, or { "kept": version } for a value that is already saved',
})
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
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
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

/** Reads an entry with a `url` as HTTP and any other as stdio, so that every issue is about what the author meant. */
export const serverEntrySchema: z.ZodType<ServerEntry> = z
  .unknown()
  .transform((entry, context): ServerEntry => {
    const parsed = schemaFor(entry).safeParse(entry)
    if (parsed.success) return parsed.data
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message })
    return z.NEVER
  })

function schemaFor(entry: unknown): z.ZodType<ServerEntry> {
  const hasUrl = typeof entry === 'object' && entry !== null && 'url' in entry
  return hasUrl ? httpServerSchema : stdioServerSchema
}

/**
 * Body of `POST /api/mcp/config`. With `version`, the save is refused (409) unless that is still the current one; 0 says that
 * nothing was ever saved.
 */
export interface SaveConfigRequest {
  readonly mcpServers: Readonly<Record<string, ServerEntry>>
  readonly version?: number | undefined
}

export const saveConfigRequestSchema: z.ZodType<SaveConfigRequest> = z.strictObject({
  mcpServers: z.record(z.string().min(1), serverEntrySchema),
  version: z.int32().nonnegative().optional(),
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
