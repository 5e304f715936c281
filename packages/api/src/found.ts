import { z } from 'zod'
import { saveConditionFields } from './config.ts'
import type { ExplainedIssue, ExplainedServer } from './explain.ts'
import { type ImportChoices, importChoiceFields, type ImportName, importNameFields } from './import.ts'

/** A server in a file of a host. */
export interface FoundServer extends ExplainedServer {
  /** Names the server in `POST /api/found/import`, until it or the gateway changes. */
  readonly id: string
}

/** A file of an MCP host that defines servers. */
export interface FoundFile {
  /** Absolute path. */
  readonly file: string
  /** Name of the dialect. */
  readonly dialect: string
  /** Name of the host, for people. */
  readonly title: string
  /** `project`: in the folder that the gateway was started in. `user`: of the person. `environment`: named by a variable. */
  readonly scope: 'project' | 'user' | 'environment'
  /** The servers, as they would be if they were saved. */
  readonly servers: readonly FoundServer[]
  /** Problems of the file. */
  readonly issues: readonly ExplainedIssue[]
}

/** Response of `GET /api/found`. Contains no value that may be a secret. */
export interface FoundServersResponse {
  /** Files with servers or problems, those with precedence first. */
  readonly files: readonly FoundFile[]
}

/** A server of `GET /api/found` to import. */
export interface ImportedFoundServer extends ImportName {
  /** `FoundServer.id`. */
  readonly id: string
}

/** Body of `POST /api/found/import`. */
export interface ImportFoundRequest extends ImportChoices {
  /** The servers to save. */
  readonly servers: readonly ImportedFoundServer[]
}

/** Schema of `ImportFoundRequest`. */
export const importFoundRequestSchema: z.ZodType<ImportFoundRequest> = z.strictObject({
  servers: z
    .array(z.strictObject({ id: z.string(), ...importNameFields }))
    .min(1, 'must name a server')
    .max(100),
  ...importChoiceFields,
  version: saveConditionFields.version,
})
