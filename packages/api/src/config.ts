import { z } from 'zod'
import { type DestinationChange, destinationChangeSchema } from './destination-change.ts'
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
  command: z.union([z.string().min(1, 'must not be empty: enter the program to start'), keptSecretSchema], {
    error: 'must be a string: the program to start',
  }),
  args: z
    .array(secretTextSchema, { error: 'must be an array of strings, such as ["-y", "some-server"]' })
    .default([]),
  env: secretMapSchema.optional(),
})

const notAUrl = 'must be an http or https URL, such as "https://tools.example/mcp"'
const urlSchema = z.string().refine((url) => url.includes('${') || /^(?:https?|wss?):\/\/[^/?#]/i.test(url), {
  error: notAUrl,
})

const httpServerSchema = z.looseObject({
  ...commonFields,
  type: z
    .enum(['http', 'streamable-http', 'streamableHttp', 'streamable_http', 'sse', 'ws'], {
      error: 'must be "http", "sse", "ws" or absent for a server with a "url"',
    })
    .optional(),
  url: z.union([urlSchema, keptSecretSchema], { error: notAUrl }),
  headers: secretMapSchema.optional(),
})

/** Variables or headers by name. */
export type SecretMap = Readonly<Record<string, string | KeptSecret>>

/** Fields of every saved server. */
interface ServerEntryCommons {
  /** True to keep the server stopped. Default: false. */
  readonly disabled?: boolean | undefined
  /** When the server starts. Default: `eager`. */
  readonly start?: 'eager' | 'lazy' | 'on-demand' | undefined
  /** How a running server is replaced when its definition changes. Default: `start-first`. */
  readonly replace?: 'start-first' | 'stop-first' | undefined
  /** Timeouts in milliseconds. Default: 30 s to start, 60 s per call. */
  readonly timeouts?: { readonly startMs?: number; readonly callMs?: number } | undefined
  /** Calls in flight at once. Default: no limit. */
  readonly maxConcurrency?: number | undefined
}

/** OAuth settings of a saved server. Those that are not set are discovered. `false`: the server needs no authorization. */
export type ServerAuthEntry =
  | boolean
  | Readonly<Record<string, string | number | KeptSecret | readonly (string | KeptSecret)[]>>

/** A server that the gateway starts as a process. */
export interface StdioServerEntry extends ServerEntryCommons {
  /** Default: `stdio`. */
  readonly type?: 'stdio' | undefined
  /** Program to start. */
  readonly command: string | KeptSecret
  /** Arguments of the program. Default: none. */
  readonly args?: readonly (string | KeptSecret)[] | undefined
  /** Environment variables of the process. Default: none. */
  readonly env?: SecretMap | undefined
}

/** A server that the gateway reaches by its URL. */
export interface HttpServerEntry extends ServerEntryCommons {
  /** Default: `http`; its other spellings mean the same. */
  readonly type?: 'http' | 'streamable-http' | 'streamableHttp' | 'streamable_http' | 'sse' | 'ws' | undefined
  /** URL of the MCP endpoint. */
  readonly url: string | KeptSecret
  /** Headers of every request. Default: none. */
  readonly headers?: SecretMap | undefined
  /** How to sign in to the server. Default: discovered when the server requires authorization. */
  readonly auth?: ServerAuthEntry | undefined
}

/** A saved server. Any text in it can be a reference to a saved secret. */
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

/** What every request that saves servers can contain. */
export interface SaveConditions {
  /** Expected current version, 0 if nothing was saved yet; any other current version is a 409. Default: any. */
  readonly version?: number | undefined
  /** Changes of destinations that the person has agreed to. Default: none. */
  readonly confirmedDestinations?: readonly DestinationChange[] | undefined
}

/** Fields of the schemas of requests that save servers. */
export const saveConditionFields: {
  readonly version: z.ZodType<number | undefined>
  readonly confirmedDestinations: z.ZodType<readonly DestinationChange[] | undefined>
} = {
  version: z.int32({ error: 'must be an integer: a version' }).nonnegative().optional(),
  confirmedDestinations: z.array(destinationChangeSchema).optional(),
}

/** Body of `POST /api/mcp/config`. */
export interface SaveConfigRequest extends SaveConditions {
  /** Servers by name. They replace all saved servers. */
  readonly mcpServers: Readonly<Record<string, ServerEntry>>
}

/** Schema of `SaveConfigRequest`. */
export const saveConfigRequestSchema: z.ZodType<SaveConfigRequest> = z.strictObject(
  {
    mcpServers: z.record(z.string().min(1, 'a server needs a name'), serverEntrySchema, {
      error: 'must be an object of servers by name: { "name": { … } }',
    }),
    ...saveConditionFields,
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? 'must contain only "mcpServers", "version" and "confirmedDestinations"'
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
