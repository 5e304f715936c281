import { isJsonObject } from '../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import type { SkillResource } from '../model/skill.ts'

/** What does not fit the entry that the server gave. */
export type SkillMismatch = 'unlisted' | 'size' | 'digest' | 'frontmatter'

/** The error of a file that must not be used; `skills/get` may give a newer entry. */
export function skillMismatch(mismatch: SkillMismatch, uri: string, detail: string): McpError {
  return new McpError(`the skill file ${JSON.stringify(uri)} must not be used: ${detail}`, {
    kind: 'malformed',
    code: McpErrorCode.InvalidRequest,
    data: { mismatch, uri },
  })
}

/** Throws unless the bytes are exactly those that the entry promises. */
export async function verifyBytes(bytes: Uint8Array<ArrayBuffer>, entry: SkillResource): Promise<void> {
  const { uri, size, digest } = entry
  if (bytes.length !== size) {
    throw skillMismatch('size', uri, `it has ${bytes.length} bytes where ${size} were promised`)
  }
  if ((await sha256(bytes)) !== digest)
    throw skillMismatch('digest', uri, 'its digest is not the promised one')
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The names of the fields in which two frontmatters differ, those included that only one of them has. */
export function differingFields(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => !isSame(one[name], other[name]))
}

function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]))
  }
  if (isJsonObject(one) && isJsonObject(other)) return differingFields(one, other).length === 0
  return Object.is(one, other)
}
