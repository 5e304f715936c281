import { type DestinationChange, type ProblemIssue, saveConfigRequestSchema } from '@toolbridge/api'
import { type Issue, readConfig } from '@toolbridge/bridge'
import type { JsonValue, ServerEntryObject } from '@toolbridge/bridge/config'
import { isJsonObject } from '@toolbridge/client/internal'
import { GatewayError } from '../errors/gateway-error.ts'
import { issuesOf, pointerTo } from '../errors/issues.ts'
import { type RequestedServers, referencesIn } from './mask-servers.ts'
import { refuseUnreadable } from './readable-servers.ts'
import { storedReading } from './saved-servers.ts'

/** A valid save request, and warnings about fields that are not saved. */
export interface SaveRequest {
  readonly servers: RequestedServers
  readonly version: number | undefined
  readonly confirmedDestinations: readonly DestinationChange[]
  readonly warnings: readonly ProblemIssue[]
}

/** Parses the body of a save, whose servers are a configuration. Throws a `GatewayError` that lists every issue. */
export function parseSaveRequest(text: string): SaveRequest {
  refuseUnreadable(text)
  const { issues: readingIssues } = readConfig(text, storedReading)
  const document = parseDocument(text, readingIssues)
  const issues = readingIssues.filter(isAboutServers).filter(notAReference(document))
  const parsed = saveConfigRequestSchema.safeParse(withoutServers(document))
  const errors = issues.filter(isRefused)
  const reported = new Set(errors.map(({ path }) => path))
  const shapeIssues = parsed.success ? [] : issuesOf(parsed.error)
  const wrong = [...errors.map(shown), ...shapeIssues.filter(({ path }) => !reported.has(path))]
  if (!parsed.success || wrong.length > 0) throw invalid(wrong)
  const { version, confirmedDestinations = [] } = parsed.data
  const warnings = issues.filter(({ path }) => path !== '')
  const servers = savedFields(serversOf(document), new Set(warnings.map(({ path }) => path)))
  return { servers, version, confirmedDestinations, warnings: warnings.map(shown) }
}

/** Parses servers that are not the text of a request. */
export function parseServers(
  servers: Readonly<Record<string, unknown>>,
): Pick<SaveRequest, 'servers' | 'warnings'> {
  return parseSaveRequest(JSON.stringify({ mcpServers: servers }))
}

/** The readers expect a text where a reference to one is. */
function notAReference(document: unknown): (issue: Issue) => boolean {
  const references = Object.entries(serversOf(document)).flatMap(([server, entry]) =>
    referencesIn(server, entry).map(({ path }) => pointerTo(['mcpServers', server, ...path])),
  )
  const kept = new Set(references)
  return ({ path, code }) => code !== 'field_invalid' || !kept.has(path)
}

/** The reader of configurations checks the servers. */
function withoutServers(document: unknown): unknown {
  const hasServers = isJsonObject(document) && isJsonObject(document['mcpServers'])
  return hasServers ? { ...document, mcpServers: {} } : document
}

function serversOf(document: unknown): Readonly<Record<string, unknown>> {
  const servers = isJsonObject(document) ? document['mcpServers'] : undefined
  return isJsonObject(servers) ? servers : {}
}

/** Returns the servers without the fields that the reader ignored. They passed its checks, so each is an object. */
function savedFields(
  servers: Readonly<Record<string, unknown>>,
  ignored: ReadonlySet<string>,
): RequestedServers {
  return Object.fromEntries(
    Object.entries(servers).map(([name, entry]) => {
      const fields = Object.entries(entry as ServerEntryObject)
      const known = fields.filter(([field]) => !ignored.has(pointerTo(['mcpServers', name, field])))
      return [name, normalized(Object.fromEntries(known))]
    }),
  )
}

/** A program always has arguments. Some hosts disable a server with `"enabled": false`. */
function normalized({ enabled, ...entry }: ServerEntryObject): ServerEntryObject {
  const args: Readonly<Record<string, JsonValue>> =
    'command' in entry && !('args' in entry) ? { args: [] } : {}
  return { ...entry, ...args, ...(enabled === false ? { disabled: true } : {}) }
}

/** A file with two servers of one name exists already; here the sender can still choose. */
function isRefused({ severity, code }: Issue): boolean {
  return severity === 'error' || code === 'server_duplicate' || code === 'server_turned_off'
}

function parseDocument(text: string, issues: readonly Issue[]): unknown {
  try {
    return JSON.parse(text, refuseProto)
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError('malformed_json', 'the settings are not valid JSON', syntaxIssues(issues))
  }
}

/** The server of this name would be lost silently. */
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

/** The schema of the request checks its other keys. */
function isAboutServers({ path }: Issue): boolean {
  return path === '' || path === '/mcpServers' || path.startsWith('/mcpServers/')
}

function shown({ path, line, column, message, fix }: Issue): ProblemIssue {
  const position = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) }
  return { path, message: `${message}; ${fix}`, ...position }
}

function invalid(issues: readonly ProblemIssue[]): GatewayError {
  return new GatewayError('invalid_request', 'the settings are invalid', issues)
}
