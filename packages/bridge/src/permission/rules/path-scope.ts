import { everyNameOf } from '@toolbridge/client/internal'
import { isFor, setsOf } from './decide.ts'
import type { CompiledRules, Rule } from './rules.ts'
import type { Subject } from './subject.ts'

/** A server, the principal it is used for, and the folders that its relative paths may be relative to. */
export interface PathUser {
  readonly server: string
  readonly principal: string
  readonly folders: readonly string[]
}

/**
 * Returns the rule that denies every call of a server's tools that names this path, whatever the argument is called. A rule
 * about some tools, or with a condition that is not about paths, does not.
 */
export function ruleAgainstPath(path: string, user: PathUser, compiled: CompiledRules): Rule | undefined {
  const tools = unlikeTools(user.server)
  const rules = setsOf(compiled).flatMap((each) => each.rules)
  return rules.find(
    (rule) =>
      rule.kind === 'deny' &&
      rule.namespace === 'mcp' &&
      isFor(rule, user.principal) &&
      tools.every((tool) => rule.appliesTo(tool)) &&
      rule.paths.every((test) => test(path, user.folders)),
  )
}

/** Two tools with nothing in common but their server: a rule that applies to both applies to all tools of the server. */
function unlikeTools(server: string): readonly Subject[] {
  return [
    toolLike(server, 'q0w', {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    }),
    toolLike(server, 'x9k', {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    }),
  ]
}

function toolLike(server: string, item: string, annotations: NonNullable<Subject['annotations']>): Subject {
  return { namespace: 'mcp', server, item, annotations, names: () => everyNameOf({ server, tool: item }) }
}
