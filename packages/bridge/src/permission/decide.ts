import type { BridgeTool } from '../catalog/catalog.ts'
import type { CompiledRules } from './rules.ts'

export interface Decision {
  readonly verdict: 'allow' | 'ask' | 'deny'
  /** The rule or the mode that decided, for the journal. */
  readonly reason: string
}

/** Decides whether a tool may be called: deny wins over ask, ask over allow, and the mode decides the rest. */
export function decide(tool: BridgeTool, { mode, rules }: CompiledRules): Decision {
  const matching = rules.filter((rule) => rule.matches(tool))
  for (const kind of ['deny', 'ask', 'allow'] as const) {
    const rule = matching.find((candidate) => candidate.kind === kind)
    if (rule === undefined || (kind === 'ask' && mode === 'yolo')) continue
    return { verdict: kind, reason: `rule ${kind} ${rule.pattern}` }
  }
  return { verdict: mode === 'allow' || mode === 'yolo' ? 'allow' : 'ask', reason: `mode ${mode}` }
}
