import { nearestName } from '@toolbridge/client/internal'
import { type ArgumentPattern, parseArguments } from './argument-pattern.ts'
import { compileGlob } from '../../text/glob.ts'

/** Percent-decodes a part of a pattern; leaves it as it is if it is not valid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The kinds of subjects that rules cover. */
export type Namespace = 'mcp' | 'resource' | 'prompt' | 'sampling' | 'elicitation'

/** A tool by public name, or any subject by server and raw name. */
export type Target =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'pair'; readonly server: string; readonly item: string }

export interface Pattern {
  readonly namespace: Namespace
  readonly target: Target
  readonly arguments: readonly ArgumentPattern[]
}

/** The problem of an invalid pattern and its fix. */
export interface InvalidPattern {
  readonly problem: string
  readonly fix: string
}

const namespaces: readonly Namespace[] = ['mcp', 'resource', 'prompt', 'sampling', 'elicitation']

/**
 * Parses `mcp:<public name>`, `<namespace>:<server>` for other namespaces, or `<namespace>://<server>/<name>`, each with
 * optional conditions on arguments in parentheses.
 */
export function parsePattern(text: string): Pattern | InvalidPattern {
  const [, beginning = '', conditions] = /^([^(]*)(?:\(([\s\S]*)\))?$/.exec(text.trim()) ?? []
  const namespace = namespaces.find((each) => text.trimStart().startsWith(`${each}:`))
  if (namespace === undefined) return withoutNamespace(text)
  const target = targetOf(namespace, beginning.slice(namespace.length + 1).trim())
  if (target === undefined) return invalidPattern(text, 'has no name after the namespace')
  const problem = problemWith(namespace, target)
  if (problem !== undefined) return invalidPattern(text, problem)
  if (conditions === undefined) return { namespace, target, arguments: [] }
  if (namespace !== 'mcp' && namespace !== 'prompt')
    return invalidPattern(text, 'has conditions on arguments, which only tools and prompts have')
  const found = parseArguments(conditions)
  return 'problem' in found
    ? invalidPattern(text, found.problem)
    : { namespace, target, arguments: found.arguments }
}

function targetOf(namespace: Namespace, rest: string): Target | undefined {
  if (rest.startsWith('//')) {
    const [, server, item] = /^\/\/([^/]+)\/([\s\S]+)$/.exec(rest) ?? []
    return server === undefined || item === undefined ? undefined : { kind: 'pair', server, item }
  }
  if (rest === '') return undefined
  return namespace === 'mcp' ? { kind: 'name', name: rest } : { kind: 'pair', server: rest, item: '*' }
}

/** The possible items of namespaces whose items servers do not name. */
const knownItems: Readonly<Partial<Record<Namespace, readonly string[]>>> = {
  sampling: ['message'],
  elicitation: ['form', 'url'],
}

/** Rejects patterns that can match nothing, such as wildcards of other glob dialects. */
function problemWith(namespace: Namespace, target: Target): string | undefined {
  if (target.kind === 'name' && target.name.includes('/')) return 'has a "/" but no "//" before the server'
  const items = knownItems[namespace]
  if (target.kind === 'pair' && items?.some(compileGlob(target.item, decoded)) === false)
    return `can match nothing: after the server, use ${items.join(' or ')}`
  const item = target.kind === 'name' ? target.name : `${target.server}/${target.item}`
  const [named = ''] = namespace === 'resource' ? item.split('/') : [item]
  return /[?[\]{}]/.test(named)
    ? 'has one of ? [ ] { }; only * is a wildcard; encode them in an address as %3F %5B %5D %7B %7D'
    : undefined
}

/** Suggests the namespace that a misspelled one is likely meant to be. */
function withoutNamespace(text: string): InvalidPattern {
  const { problem, fix } = invalidPattern(text, 'does not start with a namespace')
  const [, word] = /^\s*(\w+):/.exec(text) ?? []
  const nearest = word === undefined ? undefined : nearestName(word, namespaces)
  return { problem, fix: nearest === undefined ? fix : `did you mean "${nearest}:"? ${fix}` }
}

function invalidPattern(text: string, problem: string): InvalidPattern {
  const fix =
    'write mcp:<public name>, mcp://<server>/<tool> or mcp://<server>/<tool>(<argument>=<value>), such as mcp://files/read_*; encode a "(" in a name as %28 in the second form'
  return { problem: `"${text}" is not a permission pattern: it ${problem}`, fix }
}
