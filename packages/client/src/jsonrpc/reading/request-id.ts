import { isJsonObject, parseJson } from '../json.ts'
import type { RequestId } from '../jsonrpc.ts'
import { code, endOfString } from './json-text.ts'

/** Longer members are skipped: no id that is sent back is that long. */
const MAX_MEMBER_LENGTH = 2_048

/** Members of a message. One with more has no id that every reader would read. */
const MAX_MEMBERS = 64

/** Returns the id of a request by its text, in linear time. Undefined for a notification, a response and a batch. */
export function requestId(text: string): RequestId | undefined {
  const parsed = membersOf(text).map((member) => parseJson(`{${member}}`))
  const { id, method } = Object.assign({}, ...parsed.filter(isJsonObject))
  return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined
}

/** The texts of the members of an object that are not long; none of an object with too many. */
function membersOf(text: string): readonly string[] {
  const members: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === code.quote) at = endOfString(text, at)
    else if (unit === code.openObject || unit === code.openArray) depth++
    else if (unit === code.closeObject || unit === code.closeArray) depth--
    const isStart = depth === 1 && unit === code.openObject
    const isEnd = (depth === 1 && unit === code.comma) || (depth === 0 && unit === code.closeObject)
    if (isEnd && at - start <= MAX_MEMBER_LENGTH) members.push(text.slice(start, at))
    if (members.length > MAX_MEMBERS) return []
    if (isStart || isEnd) start = at + 1
  }
  return members
}
