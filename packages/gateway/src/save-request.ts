import { type ProblemIssue, type SaveConfigRequest, saveConfigRequestSchema } from '@toolbridge/api'
import { ConfigError, type Issue, readConfig } from '@toolbridge/bridge'
import { GatewayError } from './gateway-error.ts'
import { keptPaths } from './masking.ts'
import { issuesOf } from './request-body.ts'
import { storedReading } from './saved-servers.ts'

/**
 * Reads the body of a save: by the API's schema, which says what may be kept here, and as a configuration, which knows
 * where in the text things stand and what stands there twice. Throws with every issue found.
 */
export function parseSaveRequest(text: string): SaveConfigRequest {
  const errors = readConfig(text, storedReading).issues.filter(({ severity }) => severity === 'error')
  const parsed = saveConfigRequestSchema.safeParse(parseDocument(text, errors))
  if (!parsed.success)
    throw invalid(issuesOf(parsed.error).map((issue) => ({ ...placeOf(issue, errors), ...issue })))
  const kept = keptPaths(parsed.data.mcpServers)
  const unusable = errors.filter(({ path }) => !kept.has(path))
  if (unusable.length > 0) throw ConfigError.of(unusable)
  return parsed.data
}

function parseDocument(text: string, errors: readonly Issue[]): unknown {
  try {
    return JSON.parse(text, refuseProto)
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError('malformed_json', 'the settings are not a JSON document', syntaxIssues(errors))
  }
}

/** Schemas pass over this key without a word, and a server that vanishes in silence is worse than one refused. */
function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw invalid([{ path: '', message: 'the name "__proto__" cannot be used' }])
  return value
}

function syntaxIssues(errors: readonly Issue[]): readonly ProblemIssue[] {
  const issues = errors.filter(({ code }) => code === 'syntax')
  return issues.length > 0
    ? issues
    : [{ path: '', message: 'comments and trailing commas are not accepted here' }]
}

function placeOf({ path }: ProblemIssue, errors: readonly Issue[]): Pick<ProblemIssue, 'line' | 'column'> {
  const { line, column } = errors.find((error) => error.path === path) ?? {}
  return { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) }
}

function invalid(issues: readonly ProblemIssue[]): GatewayError {
  return new GatewayError('invalid_request', 'the settings cannot be saved as they are', issues)
}
