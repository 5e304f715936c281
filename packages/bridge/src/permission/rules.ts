import type { BridgeTool } from '../catalog/catalog.ts'
import { checkPermissions } from './check-rules.ts'
import { compileGlob } from './glob.ts'
import { parsePattern } from './pattern.ts'

/**
 * Who may call what. A pattern is `mcp:<public name>` or `mcp://<server>/<raw tool>`, where `*` stands for any run of
 * characters. Deny wins over ask, ask over allow; what no pattern matches is asked for in mode `ask` and allowed in
 * mode `allow`. Mode `yolo` asks nobody: everything but what is denied is allowed.
 */
export interface PermissionRules {
  /** `ask` unless told. */
  readonly mode?: 'ask' | 'allow' | 'yolo'
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
  readonly mode: NonNullable<PermissionRules['mode']>
  readonly rules: readonly Rule[]
}

/** Compiles every pattern; throws a `ConfigError` with every issue of rules that are none. */
export function compileRules(rules: PermissionRules): CompiledRules {
  checkPermissions(rules)
  const compile = (kind: RuleKind): readonly Rule[] =>
    (rules[kind] ?? []).map((pattern) => ({ kind, pattern, matches: matcher(kind, pattern) }))
  return { mode: rules.mode ?? 'ask', rules: [...compile('deny'), ...compile('ask'), ...compile('allow')] }
}

function matcher(kind: RuleKind, text: string): Rule['matches'] {
  const pattern = parsePattern(text)
  if (pattern === undefined) throw new TypeError('a pattern was not checked')
  if (pattern.kind === 'name') return nameMatcher(kind, pattern.name)
  const [matchesServer, matchesTool] = [
    compileGlob(pattern.server, decode),
    compileGlob(pattern.tool, decode),
  ]
  return (tool) => matchesServer(tool.server) && matchesTool(tool.rawName)
}

/**
 * A rule that narrows also holds for the name a tool would have without its hash: otherwise a server could shake off a
 * rule by listing a second tool whose name collides.
 */
function nameMatcher(kind: RuleKind, glob: string): Rule['matches'] {
  const matches = compileGlob(glob, (literal) => literal)
  if (kind === 'allow') return (tool) => matches(tool.name)
  return (tool) => matches(tool.name) || tool.plainNames.some(matches)
}

function decode(literal: string): string {
  try {
    return decodeURIComponent(literal)
  } catch {
    return literal
  }
}
