import { z } from 'zod'
import type { ProblemIssue } from './problem.ts'

/** Reference to a saved secret, which the gateway does not return: the value at the same path in `kept`. */
export interface KeptSecret {
  /** Version of the settings that contains the value. */
  readonly kept: number
}

/** Schema of `KeptSecret`. */
export const keptSecretSchema: z.ZodType<KeptSecret> = z.strictObject({ kept: z.int32().positive() })

const secretTextSchema = z.union([z.string(), keptSecretSchema], {
  error: 'must be a string, or { "kept": version } for a saved secret',
})
const secretMapSchema = z.record(z.string(), secretTextSchema, {
  error: 'must be an object of strings: { "NAME": "value" }',
})
const commonFields = { disabled: z.boolean({ error: 'must be true or false' }).optional() }

const stdioServerSchema = z.looseObject({
  ...commonFields,
  type: z.literal('stdio', { error: 'must be "stdio" or absent for a server with a "command"' }).optional(),
  command: z
    .string({ error: 'must be a string: the program to start' })
    .min(1, 'must not be empty: enter the program to start'),
  args: z
    .array(secretTextSchema, { error: 'must be an array of strings, such as ["-y", "some-server"]' })
    .default([]),
  env: secretMapSchema.optional(),
})

const notAUrl = 'must be an http or https URL, such as "https://tools.example/mcp"'

const httpServerSchema = z.looseObject({
  ...commonFields,
  type: z
    .enum(['http', 'streamable-http', 'streamableHttp', 'streamable_http'], {
      error: 'must be "http" or absent for a server with a "url"',
    })
    .optional(),
  url: z.union([z.url({ protocol: /^https?$/, error: notAUrl }), keptSecretSchema], {
    error: notAUrl,
  }),
  headers: secretMapSchema.optional(),
})

/** Variables or headers by name. */
export type SecretMap = Readonly<Record<string, string | KeptSecret>>

/** A server that the gateway starts as a process. */
export interface StdioServerEntry {
  /** Default: `stdio`. */
  readonly type?: 'stdio' | undefined
  /** Program to start. */
  readonly command: string
  /** Arguments of the program. Default: none. */
  readonly args?: readonly (string | KeptSecret)[] | undefined
  /** Environment variables of the process. Default: none. */
  readonly env?: SecretMap | undefined
  /** True to keep the server stopped. Default: false. */
  readonly disabled?: boolean | undefined
}

/** A server that the gateway reaches over HTTP. */
export interface HttpServerEntry {
  /** Default: `http`; the other spellings mean the same. */
  readonly type?: 'http' | 'streamable-http' | 'streamableHttp' | 'streamable_http' | undefined
  /** URL of the MCP endpoint. */
  readonly url: string | KeptSecret
  /** Headers of every request. Default: none. */
  readonly headers?: SecretMap | undefined
  /** True to keep the server stopped. Default: false. */
  readonly disabled?: boolean | undefined
}

/** A saved server. Values of `env`, `headers`, `args` and `url` can be references to saved secrets. */
export type ServerEntry = StdioServerEntry | HttpServerEntry

/**
 * Schema of `ServerEntry`. An entry with a `url` is parsed as HTTP and any other as stdio, so that issues refer to the
 * intended kind. Unknown fields are kept: the gateway rejects those that restrict a server.
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

/** Returns the schema of the intended kind, or an error message. */
function schemaFor(entry: unknown): z.ZodType<ServerEntry> | string {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return 'must be an object: { … }'
  if ('url' in entry) return httpServerSchema
  return 'command' in entry ? stdioServerSchema : 'needs a "command" to start it or a "url" to reach it'
}

/** Body of `POST /api/mcp/config`. */
export interface SaveConfigRequest {
  /** Servers by name. They replace all saved servers. */
  readonly mcpServers: Readonly<Record<string, ServerEntry>>
  /** Expected current version, 0 if nothing was saved yet; any other current version is a 409. Default: any. */
  readonly version?: number | undefined
}

/** Schema of `SaveConfigRequest`. */
export const saveConfigRequestSchema: z.ZodType<SaveConfigRequest> = z.strictObject(
  {
    mcpServers: z.record(z.string().min(1, 'a server needs a name'), serverEntrySchema, {
      error: 'must be an object of servers by name: { "name": { … } }',
    }),
    version: z.int32({ error: 'must be an integer: a version' }).nonnegative().optional(),
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? 'must contain only "mcpServers" and "version"'
        : 'must be an object: { "mcpServers": { … } }',
  },
)

/** Response of `POST /api/mcp/config`. */
export interface SaveConfigResponse {
  /** Always true. */
  readonly success: true
  /** Unique id of the new version. */
  readonly id: string
  /** Number of the new version. */
  readonly version: number
  /** Time of the save, as ISO 8601. */
  readonly createdAt: string
  /** Fields that were not saved, and why. Absent if there are none. */
  readonly warnings?: readonly ProblemIssue[]
}

/** Response of `GET /api/mcp/config`. */
export interface ConfigResponse {
  /** Saved servers by name. */
  readonly mcpServers: Readonly<Record<string, ServerEntry>>
  /** Current version. Absent if nothing was saved yet. */
  readonly version?: number
}
