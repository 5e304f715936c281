import { z } from 'zod'

/** A saved version of the servers, without its contents. */
export interface ConfigVersion {
  /** Number of the version. */
  readonly version: number
  /** Unique id of the version. */
  readonly id: string
  /** Time of the save, as ISO 8601. */
  readonly createdAt: string
  /** Who saved. */
  readonly createdBy: string
  /** Whether this version is in use. */
  readonly isCurrent: boolean
  /** Time of the last use, as ISO 8601. Absent if it was never used. */
  readonly lastUsedAt?: string
}

/** Response of `GET /api/mcp/config/versions`. */
export interface ConfigVersionsResponse {
  /** The versions that are kept, newest first. */
  readonly versions: readonly ConfigVersion[]
}

/** Type of a JSON value. */
export type ConfigValueType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** A difference between two versions. Has the types of the values, and the values only where they cannot be secrets. */
export interface ConfigChange {
  /** Place as a JSON Pointer. That of an object or array that was added or removed as a whole stands for all of it. */
  readonly path: string
  /** Type in the first version. Absent if the place was added. */
  readonly before?: ConfigValueType
  /** Type in the second version. Absent if the place was removed. */
  readonly after?: ConfigValueType
  /**
   * The value in the first version as JSON, with a reference for each text inside of it that may be a secret. Absent if it may
   * be a secret itself.
   */
  readonly beforeText?: string
  /** The same of the second version. */
  readonly afterText?: string
}

/** Response of `GET /api/mcp/config/diff?from=…&to=…`. */
export interface ConfigDiffResponse {
  /** Number of the first version. */
  readonly from: number
  /** Number of the second version. */
  readonly to: number
  /** The differences, in the order of the document. */
  readonly changes: readonly ConfigChange[]
}

/** Body of `POST /api/mcp/config/rollback`. The response is a `SaveConfigResponse`. */
export interface RollbackRequest {
  /** Version whose servers are saved again, as a new version. */
  readonly version: number
  /** Expected current version; any other one is a 409. Default: any. */
  readonly expectedVersion?: number | undefined
}

/** Schema of `RollbackRequest`. */
export const rollbackRequestSchema: z.ZodType<RollbackRequest> = z.strictObject({
  version: z.int32({ error: 'must be an integer: a version' }).positive(),
  expectedVersion: z.int32({ error: 'must be an integer: a version' }).nonnegative().optional(),
})
