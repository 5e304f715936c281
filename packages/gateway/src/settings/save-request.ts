import { type ProblemIssue, type SaveConfigRequest, saveConfigRequestSchema } from '@toolbridge/api'
import { type Issue, readConfig } from '@toolbridge/bridge'
import { GatewayError } from '../errors/gateway-error.ts'
import { issuesOf, pointerStep } from '../http/read-body.ts'
import { secretReferences } from './mask-servers.ts'
import { storedReading } from './saved-servers.ts'

/** A save that can be kept, and what of it is not. */
export interface SaveRequest extends SaveConfigRequest {
  readonly warnings: readonly ProblemIssue[]
}

/**
 * Reads the body of a save: by the API's schema, which says what may be kept here, and as a configuration, which knows
 * where in the text things stand, what stands there twice and what narrows access. Throws with every issue found.
 */
export function parseSaveRequest(text: string): SaveRequest {
  const { issues: readingIssues } = readConfig(text, storedReading)
  const document = parseDocument(text, readingIssues)
  const kept = new Set(secretReferences(document).map(({ path }) => path))
  const issues = [...readingIssues.filter(({ path }) => !kept.has(path)), ...unsupportedFields(document)]
  const errors = issues.filter(({ severity }) => severity === 'error')
  const parsed = saveConfigRequestSchema.safeParse(document)
  const shapeIssues = parsed.success ? [] : issuesOf(parsed.error)
  const told = new Set(errors.map(({ path }) => path))
  const wrong = [...errors.map(shown), ...shapeIssues.filter(({ path }) => !told.has(path))]
  if (!parsed.success || wrong.length > 0) throw invalid(wrong)
  const { mcpServers, version } = withEnabledRead(parsed.data)
  return { mcpServers, version, warnings: issues.filter(isAboutServer).map(shown) }
}

function parseDocument(text: string, issues: readonly Issue[]): unknown {
  try {
    return JSON.parse(text, refuseProto)
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError('malformed_json', 'the settings are not a JSON document', syntaxIssues(issues))
  }
}

/** Schemas pass over this key without a word, and a server that vanishes in silence is worse than one refused. */
function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw invalid([{ path: '', message: 'the name "__proto__" cannot be used' }])
  return value
}

function syntaxIssues(issues: readonly Issue[]): readonly ProblemIssue[] {
  const found = issues.filter(({ code }) => code === 'syntax')
  return found.length > 0
    ? found
    : [{ path: '', message: 'comments and trailing commas are not accepted here' }]
}

/** What a file may say of a server and a saved server may not. */
const unsupported: Readonly<Record<string, UnsupportedFinding>> = {
  cwd: {
    code: 'not_for_session',
    severity: 'error',
    message:
      '"cwd" is not supported for saved servers: it names a folder of the machine that runs the gateway',
    fix: 'remove it, and write whole paths in "args"',
  },
  ...findings(['envFile', 'inheritNames', 'headersHelper'], (field) => ({
    code: 'not_for_session',
    severity: 'error',
    message: `"${field}" is not supported for saved servers: it draws on the machine that runs the gateway`,
    fix: 'remove it, and write the values themselves, which are kept sealed',
  })),
  ...findings(['tools', 'approval', 'readOnly', 'unsetEnv', 'inheritEnv'], (field) => ({
    code: 'field_restricts',
    severity: 'error',
    message: `"${field}" narrows what the server may do and is not supported for saved servers`,
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
  const servers = isRecord(document) ? document['mcpServers'] : undefined
  return Object.entries(isRecord(servers) ? servers : {}).flatMap(([server, entry]) =>
    Object.entries(unsupported).flatMap(([field, finding]) => {
      if (!isRecord(entry) || !Object.hasOwn(entry, field)) return []
      return {
        ...finding,
        file: storedReading.file,
        path: ['mcpServers', server, field].map(pointerStep).join(''),
      }
    }),
  )
}

/** Some hosts switch a server off with `"enabled": false`, which must not get lost. */
function withEnabledRead({ mcpServers, version }: SaveConfigRequest): SaveConfigRequest {
  const servers = Object.entries(mcpServers).map(([name, entry]) => [
    name,
    'enabled' in entry && entry.enabled === false ? { ...entry, disabled: true } : entry,
  ])
  return { mcpServers: Object.fromEntries(servers), version }
}

/** The other keys of the request are the API's own. */
function isAboutServer({ path }: Issue): boolean {
  return path.startsWith('/mcpServers/')
}

function shown({ path, line, column, message, fix }: Issue): ProblemIssue {
  const place = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) }
  return { path, message: `${message}; ${fix}`, ...place }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function invalid(issues: readonly ProblemIssue[]): GatewayError {
  return new GatewayError('invalid_request', 'the settings cannot be saved as they are', issues)
}
