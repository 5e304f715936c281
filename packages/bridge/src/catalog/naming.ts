import { createHash } from 'node:crypto'
import type { Policy } from '../config/spec/policy.ts'

/** A tool as its server and that server's configuration know it. */
export interface ToolPair {
  readonly server: string
  readonly tool: string
}

/** How public names are made. */
export interface NamingPolicy {
  /** What stands between server and tool; `none`: the tool's name alone. */
  readonly separator: '-' | '_' | '.' | '__' | 'none'
  /**
   * `identifier`: letters, digits and `_` in both parts. `kebab`: lower case, everything else one `-`. `namespace-only`:
   * the server's part as an identifier, the tool's part as it is. `none`: both as they are, which not every model takes.
   */
  readonly sanitize: 'kebab' | 'identifier' | 'namespace-only' | 'none'
  /** A longer name is cut and ends in a hash of the pair. At least 24; `Infinity` for no limit. */
  readonly maxLength: number
  /**
   * What becomes of tools that would share a name. `suffix`: each carries a hash. `error`: none of them is offered.
   * `first-wins`: only the first by server and tool is offered. In each case a diagnostic says so.
   */
  readonly onCollision: 'error' | 'suffix' | 'first-wins'
}

/** `server__tool` in at most 64 of the characters that every model API takes. */
export const defaultNaming: NamingPolicy = {
  separator: '__',
  sanitize: 'identifier',
  maxLength: 64,
  onCollision: 'suffix',
}

/** Completes a policy; throws a `RangeError` for a length that has no room for a hash. */
export function namingPolicy(choices: Partial<NamingPolicy> = {}): NamingPolicy {
  const policy = { ...defaultNaming, ...choices }
  if (!(policy.maxLength >= minLength))
    throw new RangeError(`names need room for a hash: maxLength must be at least ${minLength}`)
  return policy
}

/** What a policy record says of names. */
export function namingChoices(policy: Partial<Policy>): Partial<NamingPolicy> {
  const { 'naming.separator': separator, 'naming.sanitize': sanitize } = policy
  const { 'naming.maxLength': maxLength, 'naming.onCollision': onCollision } = policy
  return {
    ...(separator === undefined ? {} : { separator }),
    ...(sanitize === undefined ? {} : { sanitize }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(onCollision === undefined ? {} : { onCollision }),
  }
}

/** How the tools of a server are named: what was chosen for all goes before what its definition says. */
export function namingOf(policy: Partial<Policy> | undefined, choices: Partial<NamingPolicy>): NamingPolicy {
  return namingPolicy(policy === undefined ? choices : { ...namingChoices(policy), ...choices })
}

const minLength = 24
const maxHashLength = 40

/** The name a pair has unless another one would have the same. */
export function firstName(
  pair: ToolPair,
  policy: NamingPolicy,
  plain: string = plainName(pair, policy),
): string {
  return losesLetters(pair, policy) || plain.length > policy.maxLength
    ? withHash(plain, pair, hashStep, policy)
    : plain
}

/** Server and tool in the characters of the policy; neither unique nor short enough by itself. */
export function plainName({ server, tool }: ToolPair, policy: NamingPolicy = defaultNaming): string {
  const toolPart = sanitised(tool, policy, 'tool') || 'tool'
  if (policy.separator === 'none') return toolPart
  return `${prefixOf(server, policy)}${toolPart}`
}

const separators = ['-', '_', '.', '__', 'none'] as const
const sanitizings = ['kebab', 'identifier', 'namespace-only', 'none'] as const

/** Every style of names in two lengths; what becomes of collisions makes no other names. */
const everyPolicy: readonly NamingPolicy[] = separators.flatMap((separator) =>
  sanitizings.flatMap((sanitize) =>
    [defaultNaming.maxLength, Number.POSITIVE_INFINITY].map((maxLength) => ({
      separator,
      sanitize,
      maxLength,
      onCollision: 'suffix' as const,
    })),
  ),
)

/** The names that a pair can have in any style, with and without the hash that it has when another would share its name. */
export function everyNameOf(pair: ToolPair): ReadonlySet<string> {
  return new Set(
    everyPolicy.flatMap((policy) => {
      const plain = plainName(pair, policy)
      return [plain, firstName(pair, policy), withHash(plain, pair, hashStep, policy)]
    }),
  )
}

/** Whether a tool of that public name can be one of that server. Says yes too often for names that had to be cut. */
export function mayBeNameOf(server: string, name: string, policy: NamingPolicy = defaultNaming): boolean {
  if (policy.separator === 'none') return true
  const shortestStem = policy.maxLength - 1 - longestHash(policy)
  return name.startsWith(cut(prefixOf(server, policy), shortestStem))
}

/** How many characters of a hash a name gets at first, and how many more when that was not enough. */
const hashStep = 8

function longestHash({ maxLength }: NamingPolicy): number {
  return Math.min(maxHashLength, maxLength - 2)
}

/** The length of the hash after this one; throws when it cannot grow. */
function nextHashLength(length: number, policy: NamingPolicy): number {
  const longest = longestHash(policy)
  if (length >= longest) throw new RangeError('the same tool was named twice')
  return Math.min(length + hashStep, longest)
}

/** The name with a hash, or with a longer one than the name had. */
export function withLongerHash(
  pair: ToolPair,
  policy: NamingPolicy,
  length: number | undefined,
): { readonly name: string; readonly length: number } {
  const plain = plainName(pair, policy)
  const isHashed = firstName(pair, policy, plain) !== plain
  const longer = nextHashLength(length ?? (isHashed ? hashStep : 0), policy)
  return { name: withHash(plain, pair, longer, policy), length: longer }
}

function withHash(plain: string, pair: ToolPair, hashLength: number, policy: NamingPolicy): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([pair.server, pair.tool]))
    .digest('hex')
    .slice(0, hashLength)
  const stem = cut(plain, policy.maxLength - 1 - hash.length)
  return policy.sanitize === 'kebab' ? `${stem.replace(/-+$/, '')}-${hash}` : `${stem}_${hash}`
}

/** The beginning of a text, without half a character at its end. */
function cut(text: string, length: number): string {
  const beginning = text.slice(0, length)
  return /[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning
}

function prefixOf(server: string, policy: NamingPolicy): string {
  const separator = policy.separator === 'none' ? '' : policy.separator
  return `${sanitised(server, policy, 'server') || 'server'}${separator}`
}

function sanitised(part: string, { sanitize }: NamingPolicy, role: keyof ToolPair): string {
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

function identifier(text: string): string {
  const replaced = text.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /[A-Za-z0-9]/.test(replaced) ? replaced : ''
}

/** A name must be text that can be sent, and must not be taken for the address of a tool. */
function almostRaw(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD').replace(/^mcp:/, 'mcp_')
}

/** Whether what tells the pair from others is lost when characters are replaced. */
function losesLetters({ server, tool }: ToolPair, policy: NamingPolicy): boolean {
  return (
    partLosesLetters(tool, policy, 'tool') ||
    (policy.separator !== 'none' && partLosesLetters(server, policy, 'server'))
  )
}

function partLosesLetters(part: string, policy: NamingPolicy, role: keyof ToolPair): boolean {
  if (plainPart.test(part)) return false
  const kept = sanitised(part, policy, role)
  if (kept === '') return true
  const isRaw = policy.sanitize === 'none' || (policy.sanitize === 'namespace-only' && role === 'tool')
  return isRaw ? kept !== part : /[^\p{ASCII}]/u.test(part.replaceAll(/[^\p{L}\p{N}]/gu, ''))
}

/** Most names, which lose nothing under any policy. */
const plainPart = /^[A-Za-z0-9][A-Za-z0-9_-]*$/
