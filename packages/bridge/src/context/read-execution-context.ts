import { isJsonObject } from '@toolbridge/client/internal'
import type { ExecutionContext } from './execution-context.ts'
import {
  parseMcp,
  parseOrThrow,
  parseTextMap,
  rejectUnknownFields,
  type Report,
} from './toolkits/parse-toolkits.ts'

/** Validates and copies an execution context. Throws a `ConfigError` with every issue; messages contain no values. */
export function readExecutionContext(value: unknown): ExecutionContext {
  return parseOrThrow('execution context', 'correct what is passed to withExecutionContext', (report) =>
    parseContext(value, report),
  )
}

/** Invalid fields are reported; their placeholders in the result are never used. */
function parseContext(value: unknown, report: Report): ExecutionContext {
  if (!isJsonObject(value)) report('', 'must be an object')
  const fields = isJsonObject(value) ? value : {}
  rejectUnknownFields(fields, ['principal', 'secrets', 'apiKeys', 'mcp'], '', report)
  const principal = parsePrincipal(fields['principal'], report)
  const secrets = parseTextMap(fields['secrets'], '/secrets', report)
  const apiKeys = parseTextMap(fields['apiKeys'], '/apiKeys', report)
  const mcp = fields['mcp'] === undefined ? undefined : parseMcp(fields['mcp'], '/mcp', report)
  return {
    principal,
    ...(secrets === undefined ? {} : { secrets }),
    ...(apiKeys === undefined ? {} : { apiKeys }),
    ...(mcp === undefined ? {} : { mcp }),
  }
}

function parsePrincipal(principal: unknown, report: Report): ExecutionContext['principal'] {
  const { id, kind } = isJsonObject(principal) ? principal : {}
  if (!isJsonObject(principal)) report('/principal', 'must be an object')
  else {
    if (typeof id !== 'string' || id === '') report('/principal/id', 'must be a string')
    if (kind !== 'session' && kind !== 'local') report('/principal/kind', 'must be "session" or "local"')
    rejectUnknownFields(principal, ['id', 'kind'], '/principal', report)
  }
  return { id: String(id), kind: kind === 'local' ? 'local' : 'session' }
}
