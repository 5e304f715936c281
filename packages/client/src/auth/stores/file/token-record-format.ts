import { isJsonObject, type JsonObject } from '../../../jsonrpc/json.ts'
import type { AuthKey, TokenRecord } from '../auth-store.ts'
import { authKeyName } from '../lease-queue.ts'
import { DamagedFileError } from '../../../files/file-error.ts'
import { parseJsonFile } from '../../../files/record-folder.ts'

/** The file text of a record. */
export function formatRecord(key: AuthKey, record: TokenRecord): string {
  return `${JSON.stringify({ key, record }, null, 2)}\n`
}

/** Parses the file text of a record. The error lists all defects and never quotes the text. */
export function parseRecord(path: string, text: string, key: AuthKey): TokenRecord {
  const value = parseJsonFile(path, text)
  const issues = [...keyIssues(value['key'], key), ...recordIssues(value['record'])]
  if (issues.length > 0) throw new DamagedFileError(path, issues.join('; '))
  // Every member was checked above.
  return value['record'] as TokenRecord
}

function keyIssues(value: unknown, key: AuthKey): readonly string[] {
  if (!isJsonObject(value)) return ['key is not an object']
  const { issuer, resource, principal } = value
  if (typeof issuer !== 'string' || typeof resource !== 'string' || typeof principal !== 'string') {
    return ['key lacks issuer, resource or principal']
  }
  return authKeyName({ issuer, resource, principal }) === authKeyName(key)
    ? []
    : ['key belongs to other tokens']
}

function recordIssues(value: unknown): readonly string[] {
  if (!isJsonObject(value)) return ['record is not an object']
  return [
    ...wrong(value, 'record', { version: isCount, generation: isCount, obtainedAtMs: isNumber }),
    ...wrongIfPresent(value, 'record', { dpopKey: isJsonObject, client: isClient }),
    ...stateIssues(value['state']),
  ]
}

function stateIssues(value: unknown): readonly string[] {
  if (!isJsonObject(value)) return ['record.state is not an object']
  switch (value['kind']) {
    case 'held':
      return tokenIssues(value['tokens'])
    case 'refreshing':
      return [...tokenIssues(value['tokens']), ...intentIssues(value['intent'])]
    case 'dropped':
      return wrong(value, 'record.state', { reason: isText })
    default:
      return ['record.state.kind is unknown']
  }
}

function tokenIssues(value: unknown): readonly string[] {
  const path = 'record.state.tokens'
  if (!isJsonObject(value)) return [`${path} is not an object`]
  return [
    ...wrong(value, path, { access_token: isText, token_type: isTokenType }),
    ...wrongIfPresent(value, path, {
      expiresAtMs: isNumber,
      refresh_token: isText,
      scope: isText,
      id_token: isText,
    }),
  ]
}

function intentIssues(value: unknown): readonly string[] {
  const path = 'record.state.intent'
  if (!isJsonObject(value)) return [`${path} is not an object`]
  return wrong(value, path, { generation: isCount, nonce: isText, atMs: isNumber, holder: isText })
}

type Checks = Readonly<Record<string, (value: unknown) => boolean>>

function wrong(object: JsonObject, path: string, checks: Checks): readonly string[] {
  return Object.entries(checks)
    .filter(([name, isRight]) => !isRight(object[name]))
    .map(([name]) => `${path}.${name} is missing or invalid`)
}

function wrongIfPresent(object: JsonObject, path: string, checks: Checks): readonly string[] {
  const present = Object.entries(checks).filter(([name]) => object[name] !== undefined)
  return wrong(object, path, Object.fromEntries(present))
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isClient(value: unknown): boolean {
  return isJsonObject(value) && isText(value['client_id'])
}

function isTokenType(value: unknown): boolean {
  return value === 'Bearer' || value === 'DPoP'
}
