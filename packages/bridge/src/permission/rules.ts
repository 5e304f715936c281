import type { BridgeTool } from '../catalog/catalog.ts'
import { plainName } from '../catalog/naming.ts'
import { compileGlob } from './glob.ts'

/**
 * Who may call what. A pattern is `mcp:<public name>` or `mcp://<server>/<raw tool>`, where `*` stands for any run of
 * characters. Deny wins over ask, ask over allow; what no pattern matches is asked for in mode `ask` and allowed in
 * mode `allow`. Mode `yolo` asks nobody: everything but what is denied is allowed.
 */
export interface PermissionRules {
  readonly mode: 'ask' | 'allow' | 'yolo'
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
}

type RuleKind = 'allow' | 'ask' | 'deny'

/** One pattern, ready to be asked. */
export interface Rule {
  readonly kind: RuleKind
  readonly pattern: string
  matches(tool: BridgeTool): boolean
}

export interface CompiledRules {
  readonly mode: PermissionRules['mode']
  readonly rules: readonly Rule[]
}

/** Compiles every pattern; throws a `TypeError` that names the first one that is none. */
export function compileRules(rules: PermissionRules): CompiledRules {
  const compile = (kind: RuleKind): readonly Rule[] =>
    (rules[kind] ?? []).map((pattern) => compileRule(kind, pattern))
  return { mode: rules.mode, rules: [...compile('deny'), ...compile('ask'), ...compile('allow')] }
}

function compileRule(kind: RuleKind, pattern: string): Rule {
  if (pattern.startsWith('mcp://')) return { kind, pattern, matches: pairMatcher(pattern) }
  if (pattern.startsWith('mcp:') && pattern.length > 'mcp:'.length) {
    return { kind, pattern, matches: nameMatcher(kind, pattern.slice('mcp:'.length)) }
  }
  throw new TypeError(
    `"${pattern}" is not a permission pattern: write mcp:<public name> or mcp://<server>/<tool>`,
  )
}

function pairMatcher(pattern: string): Rule['matches'] {
  const [, server, tool] = /^mcp:\/\/([^/]+)\/(.+)$/s.exec(pattern) ?? []
  if (server === undefined || tool === undefined) {
    throw new TypeError(`"${pattern}" is not a permission pattern: write mcp://<server>/<tool>`)
  }
  const [matchesServer, matchesTool] = [compileGlob(server, decode), compileGlob(tool, decode)]
  return (candidate) => matchesServer(candidate.server) && matchesTool(candidate.rawName)
}

/**
 * A rule that narrows also holds for the name a tool would have without its hash: otherwise a server could shake off a
 * rule by listing a second tool whose name collides.
 */
function nameMatcher(kind: RuleKind, glob: string): Rule['matches'] {
  const matches = compileGlob(glob, (literal) => literal)
  if (kind === 'allow') return (tool) => matches(tool.name)
  return (tool) => matches(tool.name) || matches(plainName({ server: tool.server, tool: tool.rawName }))
}

function decode(literal: string): string {
  try {
    return decodeURIComponent(literal)
  } catch {
    return literal
  }
}
