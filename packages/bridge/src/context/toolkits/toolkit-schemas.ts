import { pointerSteps } from '@toolbridge/client/internal'
import { parseAll, parseMcp, parseToolkit, parseToolkits, type Report } from './parse-toolkits.ts'
import type { MCPToolkit, MCPToolkitInput, MCPToolkitMap, MCPToolkitMapInput } from './toolkits.ts'

/** A problem of a value, as Standard Schema reports it. Contains no values. */
export interface StandardSchemaIssue {
  /** The problem. */
  readonly message: string
  /** The keys that lead to the value in question. */
  readonly path: readonly string[]
}

/** A schema by the specification at https://standardschema.dev, which validation libraries share. */
export interface StandardSchema<Input, Output> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'toolbridge'
    readonly validate: (
      value: unknown,
    ) => { readonly value: Output } | { readonly issues: readonly StandardSchemaIssue[] }
    readonly types?: { readonly input: Input; readonly output: Output }
  }
}

/** Schema of one toolkit, as `withExecutionContext` accepts it. */
export const MCPToolkitSchema: StandardSchema<MCPToolkitInput, MCPToolkit> = schemaOf((value, report) =>
  parseToolkit(value, '', report),
)

/** Schema of toolkits by name. */
export const MCPToolkitMapSchema: StandardSchema<MCPToolkitMapInput, MCPToolkitMap> = schemaOf(
  (value, report) => parseToolkits(value, '', report),
)

/** Schema of the field `mcp` of an execution context. */
export const ExecutionMCPContextSchema: StandardSchema<
  { readonly toolkits: MCPToolkitMapInput },
  { readonly toolkits: MCPToolkitMap }
> = schemaOf((value, report) => parseMcp(value, '', report))

function schemaOf<Input, Output>(
  parse: (value: unknown, report: Report) => Output | undefined,
): StandardSchema<Input, Output> {
  return {
    '~standard': {
      version: 1,
      vendor: 'toolbridge',
      validate: (input) => {
        const { value, problems } = parseAll((report) => parse(input, report))
        // A parser that returns nothing has reported why.
        if (value !== undefined && problems.length === 0) return { value }
        return {
          issues: problems.map(({ path, problem }) => ({ message: problem, path: pointerSteps(path) })),
        }
      },
    },
  }
}
