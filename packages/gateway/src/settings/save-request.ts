import { type ProblemIssue, type SaveConfigRequest, saveConfigRequestSchema } from '@toolbridge/api'
import { type Issue, readConfig } from '@toolbridge/bridge'
import { isJsonObject } from '@toolbridge/client/internal'
import { GatewayError } from '../errors/gateway-error.ts'
import { issuesOf, pointerTo } from '../errors/issues.ts'
import { secretReferences } from './mask-servers.ts'
import { storedReading } from './saved-servers.ts'

/** A valid save request, and warnings about fields that are not saved. */
export interface SaveRequest extends SaveConfigRequest {
  readonly warnings: readonly ProblemIssue[]
}

/**
 * Parses the body of a save. The API's schema defines what can be saved; reading the text as a configuration finds duplicate
 * keys and fields that restrict access, and gives each issue its line. Throws a `GatewayError` that lists every issue.
 */
export function parseSaveRequest(text: string): SaveRequest {
  const { issues: readingIssues } = readConfig(text, storedReading)
  const document = parseDocument(text, readingIssues)
  const kept = new Set(secretReferences(document).map(({ path }) => path))
  const issues = [...readingIssues.filter(({ path }) => !kept.has(path)), ...unsupportedFields(document)]
  const errors = issues.filter(isRefused)
  const parsed = saveConfigRequestSchema.safeParse(document)
  const shapeIssues = parsed.success ? [] : issuesOf(parsed.error)
  const reported = new Set(errors.map(({ path }) => path))
  const wrong = [...errors.map(shown), ...shapeIssues.filter(({ path }) => !reported.has(path))]
  if (!parsed.success || wrong.length > 0) throw invalid(wrong)
  const { mcpServers, version } = withDisabled(parsed.data)
  return { mcpServers, version, warnings: issues.filter(isAboutServer).map(shown) }
}

/** A file with two servers of one name exists already; here the sender can still choose. */
function isRefused({ severity, code }: Issue): boolean {
  return severity === 'error' || code === 'server_duplicate'
}

function parseDocument(text: string, issues: readonly Issue[]): unknown {
  try {
    return JSON.parse(text, refuseProto)
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError('malformed_json', 'the settings are not valid JSON', syntaxIssues(issues))
  }
}

/** Zod drops this key silently, so that the server would be lost. */
function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw invalid([{ path: '', message: 'the name "__proto__" cannot be used' }])
  return value
}

function syntaxIssues(issues: readonly Issue[]): readonly ProblemIssue[] {
  const found = issues.filter(({ code }) => code === 'syntax')
  return found.length > 0
    ? found
    : [{ path: '', message: 'comments and trailing commas are not supported here' }]
}

/** Fields that a configuration file supports and a saved server does not. */
const unsupported: Readonly<Record<string, UnsupportedFinding>> = {
  cwd: {
    code: 'not_for_session',
    severity: 'error',
    message: '"cwd" is not supported for saved servers: it is a folder on the gateway\'s machine',
    fix: 'remove it, and use absolute paths in "args"',
  },
  ...findings(['envFile', 'inheritNames', 'headersHelper'], (field) => ({
    code: 'not_for_session',
    severity: 'error',
    message: `"${field}" is not supported for saved servers: it reads from the gateway's machine`,
    fix: 'remove it, and enter the values, which are stored encrypted',
  })),
  ...findings(['tools', 'approval', 'readOnly', 'unsetEnv', 'inheritEnv'], (field) => ({
    code: 'field_restricts',
    severity: 'error',
    message: `"${field}" restricts the server and is not supported for saved servers`,
    fix: `remove "${field}", and use a permission rule instead`,
  })),
  ...findings(['required', 'start', 'timeouts', 'auth'], (field) => ({
    code: 'field_unknown',
    severity: 'warning',
    message: `"${field}" is not supported for saved servers and was dropped`,
    fix: 'remove it',
  })),
}

type UnsupportedFinding = Pick<Issue, 'code' | 'severity' | 'message' | 'fix'>

function findings(
  fields: readonly string[],
  about: (field: string) => UnsupportedFinding,
): Readonly<Record<string, UnsupportedFinding>> {
  return Object.fromEntries(fields.map((field) => [field, about(field)]))
}

function unsupportedFields(document: unknown): readonly Issue[] {
  const servers = isJsonObject(document) ? document['mcpServers'] : undefined
  return Object.entries(isJsonObject(servers) ? servers : {}).flatMap(([server, entry]) =>
    Object.entries(unsupported).flatMap(([field, finding]) => {
      if (!isJsonObject(entry) || !Object.hasOwn(entry, field)) return []
      return {
        ...finding,
        file: storedReading.file,
        path: pointerTo(['mcpServers', server, field]),
      }
    }),
  )
}

/** Some hosts disable a server with `"enabled": false`. */
function withDisabled({ mcpServers, version }: SaveConfigRequest): SaveConfigRequest {
  const servers = Object.entries(mcpServers).map(([name, entry]) => [
    name,
    'enabled' in entry && entry.enabled === false ? { ...entry, disabled: true } : entry,
  ])
  return { mcpServers: Object.fromEntries(servers), version }
}

/** Excludes issues about the request's own keys, such as `version`. */
function isAboutServer({ path }: Issue): boolean {
  return path.startsWith('/mcpServers/')
}

function shown({ path, line, column, message, fix }: Issue): ProblemIssue {
  const position = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) }
  return { path, message: `${message}; ${fix}`, ...position }
}

function invalid(issues: readonly ProblemIssue[]): GatewayError {
  return new GatewayError('invalid_request', 'the settings are invalid', issues)
}
