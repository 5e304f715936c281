import type { OwnRule, OwnRules } from '@toolbridge/api'
import type { PermissionRules } from '@toolbridge/bridge'
import type { PermissionRule } from '@toolbridge/bridge/permissions'

/**
 * Combines the rules of the gateway with those of a person. What the gateway denies or asks about stays so. A call that it
 * allows, or about which it has no rule, is decided by the person: who could also approve it, so a rule that allows it weakens
 * nothing.
 */
export function effectiveRules(gateway: PermissionRules, own: OwnRules): PermissionRules {
  if (isEmpty(own)) return gateway
  const { mode = 'ask', allow = [], approve, restrictedBy = [], ...rest } = gateway
  const isFinal = mode === 'plan' || mode === 'yolo'
  return {
    mode: own.mode ?? (mode === 'yolo' ? 'allow' : mode),
    allow: [...allow, ...(own.allow ?? []).map(ruleOf)],
    ask: (own.ask ?? []).map(ruleOf),
    deny: (own.deny ?? []).map(ruleOf),
    ...(approve === undefined ? {} : { approve }),
    ...(rest.trustAnnotations === undefined ? {} : { trustAnnotations: rest.trustAnnotations }),
    restrictedBy: [{ ...rest, mode: isFinal ? mode : 'allow' }, ...restrictedBy],
  }
}

/** Whether a person has no rules. */
export function isEmpty({ mode, allow = [], ask = [], deny = [] }: OwnRules): boolean {
  return mode === undefined && [...allow, ...ask, ...deny].length === 0
}

function ruleOf(rule: string | OwnRule): string | PermissionRule {
  if (typeof rule === 'string') return rule
  const { match, arguments: args, annotations } = rule
  return {
    match,
    ...(args === undefined ? {} : { arguments: args }),
    ...(annotations === undefined ? {} : { annotations }),
  }
}
