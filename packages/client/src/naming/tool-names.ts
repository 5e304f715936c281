import { identifier } from './identifier.ts'
import { defaultNaming, type NamingPolicy } from './naming-policy.ts'
import { sha256 } from './sha256.ts'

/** A tool by its server and the server's name for it. */
export interface ToolPair {
  readonly server: string
  readonly tool: string
}

/** The name of a pair if no other pair has the same. */
export function firstName(
  pair: ToolPair,
  policy: NamingPolicy,
  plain: string = plainName(pair, policy),
): string {
  return losesLetters(pair, policy) || plain.length > policy.maxLength
    ? hashedName(pair, policy, plain)
    : plain
}

/** Server and tool in the characters of the policy. May be too long, and need not be unique. */
export function plainName({ server, tool }: ToolPair, policy: NamingPolicy = defaultNaming): string {
  const toolPart = sanitized(tool, policy, 'tool') || 'tool'
  if (policy.separator === 'none') return toolPart
  return `${prefixOf(server, policy)}${toolPart}`
}

/** The name of a pair with a hash. A caller with many policies computes the digest once. */
export function hashedName(
  pair: ToolPair,
  policy: NamingPolicy,
  plain: string = plainName(pair, policy),
  digest: string = digestOf(pair),
): string {
  return withHash(plain, digest.slice(0, HASH_STEP), policy)
}

/** The digest of a pair, whose beginning is the hash in its names. */
export function digestOf({ server, tool }: ToolPair): string {
  return sha256(JSON.stringify([server, tool]))
}

/** Whether a tool with this public name may belong to the server. Also true for some others if names are cut. */
export function mayBeNameOf(server: string, name: string, policy: NamingPolicy = defaultNaming): boolean {
  if (policy.separator === 'none') return true
  const shortestStem = policy.maxLength - 1 - longestHash(policy)
  return name.startsWith(cut(prefixOf(server, policy), shortestStem))
}

/** The name of a pair with a hash, or with a longer hash than `length`. */
export function withLongerHash(
  pair: ToolPair,
  policy: NamingPolicy,
  length: number | undefined,
): { readonly name: string; readonly length: number } {
  const plain = plainName(pair, policy)
  const isHashed = firstName(pair, policy, plain) !== plain
  const longer = nextHashLength(length ?? (isHashed ? HASH_STEP : 0), policy)
  return { name: withHash(plain, digestOf(pair).slice(0, longer), policy), length: longer }
}

const MAX_HASH_LENGTH = 40

/** The initial length of a hash, and by how much it grows after a collision. */
const HASH_STEP = 8

function longestHash({ maxLength }: NamingPolicy): number {
  return Math.min(MAX_HASH_LENGTH, maxLength - 2)
}

function nextHashLength(length: number, policy: NamingPolicy): number {
  const longest = longestHash(policy)
  if (length >= longest) throw new RangeError('the same tool was named twice')
  return Math.min(length + HASH_STEP, longest)
}

function withHash(plain: string, hash: string, policy: NamingPolicy): string {
  const stem = cut(plain, policy.maxLength - 1 - hash.length)
  return policy.sanitize === 'kebab' ? `${stem.replace(/-$/, '')}-${hash}` : `${stem}_${hash}`
}

/** The beginning of a text, without half a surrogate pair at its end. */
function cut(text: string, length: number): string {
  const beginning = text.slice(0, length)
  return /[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning
}

/** For policies with a separator. */
function prefixOf(server: string, policy: NamingPolicy): string {
  return `${sanitized(server, policy, 'server') || 'server'}${policy.separator}`
}

function sanitized(part: string, { sanitize }: NamingPolicy, role: keyof ToolPair): string {
  switch (sanitize) {
    case 'kebab':
      return part
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '')
    case 'identifier':
      return identifier(part)
    case 'namespace-only':
      return role === 'server' ? identifier(part) : almostRaw(part)
    case 'none':
      return almostRaw(part)
  }
}

/** A name must be valid Unicode, and must not look like the URI of a tool. */
function almostRaw(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD').replace(/^mcp:/, 'mcp_')
}

/** Whether sanitizing removes letters that distinguish the pair from others. */
function losesLetters({ server, tool }: ToolPair, policy: NamingPolicy): boolean {
  return (
    partLosesLetters(tool, policy, 'tool') ||
    (policy.separator !== 'none' && partLosesLetters(server, policy, 'server'))
  )
}

function partLosesLetters(part: string, policy: NamingPolicy, role: keyof ToolPair): boolean {
  if (UNAFFECTED.test(part)) return false
  const kept = sanitized(part, policy, role)
  if (kept === '') return true
  const isRaw = policy.sanitize === 'none' || (policy.sanitize === 'namespace-only' && role === 'tool')
  return isRaw ? kept !== part : /[^\p{ASCII}]/u.test(part.replaceAll(/[^\p{L}\p{N}]/gu, ''))
}

/** Most names. They lose no letters under any policy. */
const UNAFFECTED = /^[A-Za-z0-9][A-Za-z0-9_-]*$/
