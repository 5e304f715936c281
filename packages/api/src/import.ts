import { z } from 'zod'
import { type SaveConfigResponse, saveConditionFields } from './config.ts'
import { type ExplainRequest, explainRequestFields } from './explain.ts'

/** The name of an imported server. */
export interface ImportName {
  /** Name to save it under. Default: that of the source. */
  readonly as?: string | undefined
  /** Whether it may replace a saved server of that name. Default: false. */
  readonly replaces?: boolean | undefined
}

/** One server to import. */
export interface ImportedServer extends ImportName {
  /** Name of the server in the source. */
  readonly name: string
}

/** What every import can contain. */
export interface ImportChoices {
  /** Values of variables by `ExplainedVariable.variable`, such as `input:api-key`. Default: the variables stay. */
  readonly values?: Readonly<Record<string, string>> | undefined
  /** Expected current version, 0 if nothing was saved yet; any other current version is a 409. Default: any. */
  readonly version?: number | undefined
}

/** Body of `POST /api/import`. */
export interface ImportRequest extends ExplainRequest, ImportChoices {
  /** The servers to save. Default: all of the text. */
  readonly servers?: readonly ImportedServer[] | undefined
}

/** Fields of the schemas of servers to import. */
export const importNameFields: {
  readonly as: z.ZodType<string | undefined>
  readonly replaces: z.ZodType<boolean | undefined>
} = {
  as: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(200)
    .refine((name) => name !== '__proto__', 'must be another name')
    .optional(),
  replaces: z.boolean().optional(),
}

/** Fields of the schemas of imports. */
export const importChoiceFields: {
  readonly values: z.ZodType<Readonly<Record<string, string>> | undefined>
} = { values: z.record(z.string(), z.string()).optional() }

/** Schema of `ImportRequest`. */
export const importRequestSchema: z.ZodType<ImportRequest> = z.strictObject({
  ...explainRequestFields,
  servers: z
    .array(z.strictObject({ name: z.string(), ...importNameFields }))
    .min(1, 'must name a server')
    .max(100)
    .optional(),
  ...importChoiceFields,
  version: saveConditionFields.version,
})

/** Response of `POST /api/import`. */
export interface ImportResponse extends SaveConfigResponse {
  /** Names of the servers that were saved. */
  readonly servers: readonly string[]
}
