import type { BridgeTool } from '../catalog/catalog.ts'
import type { ApprovalSpec } from '../config/spec.ts'
import type { CompiledRules } from './rules.ts'

export interface Decision {
  readonly verdict: 'allow' | 'ask' | 'deny'
  /** The rule or the mode that decided, for the journal. */
  readonly reason: string
}

/**
 * Decides whether a tool may be called: deny wins over ask, ask over allow, and the mode decides the rest. What the
 * definition of its server says counts like a rule.
 */
export function decide(tool: BridgeTool, { mode, rules }: CompiledRules, approval?: ApprovalSpec): Decision {
  const matching = rules.filter((rule) => rule.matches(tool))
  const defined = definedVerdict(tool, approval)
  for (const kind of ['deny', 'ask', 'allow'] as const) {
    if (kind === 'ask' && mode === 'yolo') continue
    const rule = matching.find((candidate) => candidate.kind === kind)
    if (rule !== undefined) return { verdict: kind, reason: `rule ${kind} ${rule.pattern}` }
    if (defined === kind) return { verdict: kind, reason: `the definition of ${tool.server} says ${kind}` }
  }
  return { verdict: mode === 'allow' || mode === 'yolo' ? 'allow' : 'ask', reason: `mode ${mode}` }
}

function definedVerdict(
  { rawName, definition }: BridgeTool,
  approval: ApprovalSpec | undefined,
): Decision['verdict'] | undefined {
  const { tools = {}, default: usual } = approval ?? {}
  const said = Object.hasOwn(tools, rawName) ? tools[rawName] : usual
  if (said !== 'writes') return said
  return definition.annotations?.readOnlyHint === true ? 'allow' : 'ask'
}
