import { isJsonObject, type JsonObject } from '@toolbridge/client/internal'
import { mask } from './secrets.ts'

type RedactText = (text: string) => string

/** Members of a JSON-RPC message whose names cannot be secrets. */
const members: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])

/** A message as JSON in one line, without secrets. Redacting its text could leave something that is not JSON. */
export function redactedMessage(message: unknown, redact: RedactText): string {
  const text = JSON.stringify(message) ?? ''
  if (redact(text) === text) return text
  return JSON.stringify(isJsonObject(message) ? redactedMembers(message, redact) : redacted(message, redact))
}

function redactedMembers(message: JsonObject, redact: RedactText): JsonObject {
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [
      members.has(name) ? name : redact(name),
      isOfProtocol(name, value) ? value : redacted(value, redact),
    ]),
  )
}

/** The version, and a number by which messages belong together. */
function isOfProtocol(name: string, value: unknown): boolean {
  return (name === 'jsonrpc' && value === '2.0') || (name === 'id' && typeof value === 'number')
}

/** Replaces strings and numbers in part, and the smallest object or list over which a secret spans. */
function redacted(value: unknown, redact: RedactText): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value === 'number') return redact(String(value)) === String(value) ? value : mask
  if (typeof value !== 'object' || value === null) return value
  const told = Array.isArray(value)
    ? value.map((item: unknown) => redacted(item, redact))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redacted(item, redact)]))
  const text = JSON.stringify(told)
  return redact(text) === text ? told : mask
}
