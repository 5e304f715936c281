import { z } from 'zod'
import type { ProblemIssue } from './problem.ts'

/** Stands for a secret that the gateway keeps and does not show: the value it had in that version of the settings. */
export const keptSecretSchema: z.ZodType<KeptSecret> = z.strictObject({ kept: z.int32().positive() })
export interface KeptSecret {
  readonly kept: number
}

const secretTextSchema = z.union([z.string(), keptSecretSchema], {
  error: 'must be a text, or { "kept": version } for one that is already saved',
})
const secretMapSchema = z.record(z.string(), secretTextSchema, {
  error: 'must be an object of texts: { "NAME": "value" }',
})
const commonFields = { disabled: z.boolean({ error: 'must be true or false' }).optional() }

const stdioServerSchema = z.looseObject({
  ...commonFields,
  type: z
    .literal('stdio', { error: 'must be "stdio" for a server with a "command", or be left out' })
    .optional(),
  command: z
    .string({ error: 'must be the program to start, as a text' })
    .min(1, 'must name the program to start'),
  args: z
    .array(secretTextSchema, { error: 'must be a list of texts, such as ["-y", "some-server"]' })
    .default([]),
  env: secretMapSchema.optional(),
})

const notAnAddress = 'must be an http or https address, such as "https://tools.example/mcp"'

const httpServerSchema = z.looseObject({
  ...commonFields,
  type: z
    .enum(['http', 'streamable-http', 'streamableHttp', 'streamable_http'], {
      error: 'must be "http" for a server with a "url", or be left out',
    })
    .optional(),
  url: z.union([z.url({ protocol: /^https?$/, error: notAnAddress }), keptSecretSchema], {
    error: notAnAddress,
  }),
  headers: secretMapSchema.optional(),
})

export type SecretMap = Readonly<Record<string, string | KeptSecret>>

export interface StdioServerEntry {
  readonly type?: 'stdio' | undefined
  readonly command: string
  /** None unless told. */
  readonly args?: readonly (string | KeptSecret)[] | undefined
  readonly env?: SecretMap | undefined
  readonly disabled?: boolean | undefined
}

export interface HttpServerEntry {
  readonly type?: 'http' | 'streamable-http' | 'streamableHttp' | 'streamable_http' | undefined
  readonly url: string | KeptSecret
  readonly headers?: SecretMap | undefined
  readonly disabled?: boolean | undefined
}

/**
 * One server as a user of the gateway writes it. What may hold a secret, in `env`, `headers`, `args` and `url`, may be a
 * reference to a kept value.
 */
export type ServerEntry = StdioServerEntry | HttpServerEntry

/**
 * Reads an entry with a `url` as HTTP and any other as stdio, so that every issue is about what the author meant. Fields
 * that are not known here stay: the gateway judges them, since some narrow what a server may do.
 */
export const serverEntrySchema: z.ZodType<ServerEntry> = z
  .unknown()
  .transform((entry, context): ServerEntry => {
    const schema = schemaFor(entry)
    if (typeof schema === 'string') {
      context.addIssue({ code: 'custom', message: schema })
      return z.NEVER
    }
    const parsed = schema.safeParse(entry)
    if (parsed.success) return parsed.data
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message })
    return z.NEVER
  })

/** The schema of what the author meant, or why it cannot be told. */
function schemaFor(entry: unknown): z.ZodType<ServerEntry> | string {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return 'must be an object: { … }'
  if ('url' in entry) return httpServerSchema
  return 'command' in entry ? stdioServerSchema : 'needs a "command" to start it or a "url" to reach it'
}

/**
 * Body of `POST /api/mcp/config`. With `version`, the save is refused (409) unless that is still the current one; 0 says that
 * nothing was ever saved.
 */
export interface SaveConfigRequest {
  readonly mcpServers: Readonly<Record<string, ServerEntry>>
  readonly version?: number | undefined
}

export const saveConfigRequestSchema: z.ZodType<SaveConfigRequest> = z.strictObject(
  {
    mcpServers: z.record(z.string().min(1, 'a server needs a name'), serverEntrySchema, {
      error: 'must be an object of servers by name: { "name": { … } }',
    }),
    version: z.int32({ error: 'must be a version, as a whole number' }).nonnegative().optional(),
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? 'may have "mcpServers" and "version" and nothing else'
        : 'must be an object: { "mcpServers": { … } }',
  },
)

export interface SaveConfigResponse {
  readonly success: true
  readonly id: string
  readonly version: number
  readonly createdAt: string
  /** What was written but not kept, and why; absent when everything was. */
  readonly warnings?: readonly ProblemIssue[]
}

/** Answer of `GET /api/mcp/config`; `version` is absent when nothing was ever saved. */
export interface ConfigResponse {
  readonly mcpServers: Readonly<Record<string, ServerEntry>>
  readonly version?: number
}
