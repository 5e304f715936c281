import type { CallToolResult, Tool } from '@toolbridge/client'
import type { SchemaChecks } from '../catalog/schema/schema-checks.ts'

/** The result if it is what its tool promised, and an error that says what it is not otherwise. */
export function checkedOutput(
  result: CallToolResult,
  { outputSchema }: Tool,
  tool: string,
  checks: SchemaChecks,
): CallToolResult {
  if (outputSchema === undefined || result.isError === true) return result
  if (result.structuredContent === undefined)
    return errorResult(`${tool} promised structured content and returned none`)
  const problems = checks.problems(outputSchema, result.structuredContent)
  if (problems === undefined)
    return errorResult(`the result of ${tool} cannot be checked, because its output schema cannot be used`)
  if (problems.length === 0) return result
  return errorResult(`the result of ${tool} is not what it promised: ${problems.join('; ')}`)
}

/** A failure that a model can read. */
export function errorResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
