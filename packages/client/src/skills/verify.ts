import { isJsonObject } from '../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import type { SkillResource } from '../model/skill.ts'

/** How a file differs from its entry. */
export type SkillMismatch = 'unlisted' | 'size' | 'digest' | 'frontmatter'

/** The error of a file that failed verification. `skills/get` may return a newer entry. */
export function skillMismatch(mismatch: SkillMismatch, uri: string, detail: string): McpError {
  return new McpError(`the skill file ${JSON.stringify(uri)} must not be used: ${detail}`, {
    kind: 'malformed',
    code: McpErrorCode.InvalidRequest,
    data: { mismatch, uri },
  })
}

/** Throws unless size and digest of the bytes match the entry. */
export async function verifyBytes(bytes: Uint8Array<ArrayBuffer>, entry: SkillResource): Promise<void> {
  const { uri, size, digest } = entry
  if (bytes.length !== size) {
    throw skillMismatch('size', uri, `it has ${bytes.length} bytes, expected ${size}`)
  }
  if ((await sha256(bytes)) !== digest) throw skillMismatch('digest', uri, 'its digest does not match')
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Names of the fields that differ, including fields that only one side has. */
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
