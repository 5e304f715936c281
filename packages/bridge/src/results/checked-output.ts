import type { CallToolResult, Tool } from '@toolbridge/client'
import type { SchemaChecks } from '../catalog/schema/schema-checks.ts'

/** Returns the result if it matches the output schema of its tool, else an error result. */
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

/** An error result with a text for the model. */
export function errorResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
