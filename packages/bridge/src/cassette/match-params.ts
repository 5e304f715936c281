import { isJsonObject, type JsonObject } from '@toolbridge/client/internal'
import { mask } from '../journal/redaction/secrets.ts'

/** Methods whose parameters describe the client and not what it asks for. */
const matchedByName: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'logging/setLevel',
])

/** Methods whose missing arguments are an empty object. */
const withArguments: ReadonlySet<string> = new Set(['tools/call', 'prompts/get'])

/** The parameters of a message that identify it: without `_meta`, such as progress tokens and trace contexts. */
export function paramsOf(method: string, params: JsonObject): JsonObject {
  if (matchedByName.has(method)) return {}
  const { _meta, ...others } = params
  return withArguments.has(method) && others['arguments'] === undefined
    ? { ...others, arguments: {} }
    : others
}

/** Whether a value equals a recorded one, in which `[redacted]` stands for any text or value. */
export function matches(recorded: unknown, value: unknown): boolean {
  return firstDifference(recorded, value) === undefined
}

/** Path of the first difference between a recorded value and another, such as `content.name`. Empty: as a whole. */
export function firstDifference(recorded: unknown, value: unknown): string | undefined {
  if (recorded === mask || Object.is(recorded, value)) return undefined
  if (typeof recorded === 'string') return isTextLike(recorded, value) ? undefined : ''
  if (Array.isArray(recorded)) {
    if (!Array.isArray(value) || value.length !== recorded.length) return ''
    return differenceIn(Object.keys(recorded), recorded, value)
  }
  if (!isJsonObject(recorded) || !isJsonObject(value)) return ''
  return differenceIn([...new Set([...Object.keys(recorded), ...Object.keys(value)])], recorded, value)
}

function differenceIn(keys: readonly string[], recorded: object, value: object): string | undefined {
  for (const key of keys) {
    const inner = firstDifference(Reflect.get(recorded, key), Reflect.get(value, key))
    if (inner !== undefined) return inner === '' ? key : `${key}.${inner}`
  }
  return undefined
}

/** Whether a text has the parts of a recorded one around what was redacted. */
function isTextLike(recorded: string, value: unknown): boolean {
  if (typeof value !== 'string' || !recorded.includes(mask)) return false
  const [first = '', ...rest] = recorded.split(mask)
  const last = rest.pop() ?? ''
  if (value.length < first.length + last.length) return false
  if (!value.startsWith(first) || !value.endsWith(last)) return false
  let from = first.length
  for (const part of rest) {
    const at = value.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return from <= value.length - last.length
}
