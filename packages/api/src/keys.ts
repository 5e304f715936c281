import { z } from 'zod'

/** What an API key may be used for: the HTTP API, or the MCP endpoint. */
export type KeyScope = 'api' | 'mcp'

/** Body of `POST /api/keys`. */
export interface CreateKeyRequest {
  /** Name for people, such as the program that uses the key. */
  readonly name: string
  /** What the key may be used for. */
  readonly scopes: readonly KeyScope[]
  /** Days until the key expires, from 1 to 366. Default: 90. */
  readonly expiresInDays?: number | undefined
}

/** Schema of `CreateKeyRequest`. */
export const createKeyRequestSchema: z.ZodType<CreateKeyRequest> = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine((name) => !/[\0\p{Cs}]/u.test(name), 'must not contain NUL or half of a surrogate pair'),
  scopes: z
    .array(z.enum(['api', 'mcp']))
    .min(1)
    .max(2),
  expiresInDays: z.int().min(1).max(366).optional(),
})

/** An API key without its secret. */
export interface KeySummary {
  /** Identifies the key; the first part of its token. */
  readonly id: string
  /** Name that it was given. */
  readonly name: string
  /** Id of the person it belongs to. */
  readonly owner: string
  /** What it may be used for. */
  readonly scopes: readonly KeyScope[]
  /** Time of creation, ISO 8601. */
  readonly createdAt: string
  /** Time from which it is refused, ISO 8601. */
  readonly expiresAt: string
  /** Time of the last use, ISO 8601, to the minute. Absent if it was never used. */
  readonly lastUsedAt?: string
}

/** Response of `POST /api/keys`. */
export interface CreateKeyResponse {
  /** The new key. */
  readonly key: KeySummary
  /** The bearer token. Never shown again. */
  readonly token: string
}

/** Response of `GET /api/keys`. */
export interface KeysResponse {
  /** The caller's keys, oldest first; with `?everyone=1`, which requires an administrator, those of all people. */
  readonly keys: readonly KeySummary[]
}

/** Response of `DELETE /api/keys/:id`. */
export interface RevokeKeyResponse {
  /** Always true. */
  readonly success: true
}
