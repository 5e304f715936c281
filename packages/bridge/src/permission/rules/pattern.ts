import { type ArgumentPattern, parseArguments } from './argument-pattern.ts'
import { compileGlob } from '../../text/glob.ts'
import { decoded } from './path-text.ts'

/** What a rule is about: calls of tools, or one of the other things that servers do with a person's say. */
export type Namespace = 'mcp' | 'resource' | 'prompt' | 'sampling' | 'elicitation'

/** A tool by its public name, or anything by its server and that server's own name for it. */
export type Target =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'pair'; readonly server: string; readonly item: string }

export interface Pattern {
  readonly namespace: Namespace
  readonly target: Target
  readonly arguments: readonly ArgumentPattern[]
}

/** A text that is no pattern, and what to write instead. */
export interface InvalidPattern {
  readonly problem: string
  readonly fix: string
}

const namespaces: readonly Namespace[] = ['mcp', 'resource', 'prompt', 'sampling', 'elicitation']

/**
 * Reads `mcp:<public name>`, `<namespace>:<server>` for the other namespaces, or `<namespace>://<server>/<name>`, each
 * with conditions on arguments in parentheses behind it if need be.
 */
export function parsePattern(text: string): Pattern | InvalidPattern {
  const [, beginning = '', conditions] = /^([^(]*)(?:\(([\s\S]*)\))?$/.exec(text.trim()) ?? []
  const namespace = namespaces.find((each) => text.trimStart().startsWith(`${each}:`))
  if (namespace === undefined) return invalidPattern(text, 'does not begin with a namespace')
  const target = targetOf(namespace, beginning.slice(namespace.length + 1).trim())
  if (target === undefined) return invalidPattern(text, 'does not name what it is about')
  const problem = problemWith(namespace, target)
  if (problem !== undefined) return invalidPattern(text, problem)
  if (conditions === undefined) return { namespace, target, arguments: [] }
  if (namespace !== 'mcp' && namespace !== 'prompt')
    return invalidPattern(text, 'has conditions on arguments, and only tools and prompts have those')
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

/** What stands behind the server where that is not the server's own word. */
const knownItems: Readonly<Partial<Record<Namespace, readonly string[]>>> = {
  sampling: ['message'],
  elicitation: ['form', 'url'],
}

/** What would hold for nothing: characters that stand for others elsewhere, and here for themselves. */
function problemWith(namespace: Namespace, target: Target): string | undefined {
  if (target.kind === 'name' && target.name.includes('/'))
    return 'has a "/" and is no address, which has "//" before the server'
  const items = knownItems[namespace]
  if (target.kind === 'pair' && items?.some(compileGlob(target.item, decoded)) === false)
    return `is about nothing: behind the server stands ${items.join(' or ')}`
  const item = target.kind === 'name' ? target.name : `${target.server}/${target.item}`
  const [named = ''] = namespace === 'resource' ? item.split('/') : [item]
  return /[?[\]{}]/.test(named)
    ? 'has one of ? [ ] { }, and only * stands for anything; in an address those are %3F %5B %5D %7B %7D'
    : undefined
}

function invalidPattern(text: string, problem: string): InvalidPattern {
  const fix =
    'write mcp:<public name>, mcp://<server>/<tool> or mcp://<server>/<tool>(<argument>=<value>), such as mcp://files/read_*; a "(" in a name is %28 in the second form'
  return { problem: `"${text}" is not a permission pattern: it ${problem}`, fix }
}
