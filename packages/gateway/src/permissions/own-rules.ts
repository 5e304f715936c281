import { type OwnRuleDescription, type OwnRules, ownRulesSchema } from '@toolbridge/api'
import { type BridgeTool, ConfigError, type PermissionRules } from '@toolbridge/bridge'
import { checkPermissions, describeRules } from '@toolbridge/bridge/permissions'
import type { SettingKey, Settings } from '@toolbridge/lockbox'
import { effectiveRules, isEmpty } from './effective-rules.ts'

/** The setting that stores a person's permission rules. */
const rulesKey: SettingKey = { namespace: 'mcp', name: 'permissions' }

/** Names of tools that are told of each rule: a person can have thousands, and hundreds of rules that cover all. */
const maxNames = 20

/** One version of a person's rules. */
export interface SavedRules {
  readonly rules: OwnRules
  /** Undefined if none were saved yet. */
  readonly version: number | undefined
}

/** The permission rules of people, and how they combine with those of the gateway. */
export interface OwnRulesStore {
  /** Returns the rules of a person. */
  read(owner: string): Promise<SavedRules>
  /** Saves the rules of a person. Returns their version. Throws a `ConfigError` if they are invalid. */
  save(owner: string, rules: OwnRules, expectedVersion: number | undefined): Promise<number>
  /** Returns the rules that apply to a person; with `own`, as if the person had those. Throws a `ConfigError`. */
  effective(owner: string, own?: OwnRules): Promise<PermissionRules>
  /** Describes rules of a person who has these tools. Throws a `ConfigError` if they are invalid. */
  describe(rules: OwnRules, tools: readonly BridgeTool[]): readonly OwnRuleDescription[]
}

/** Stores rules in `settings`. `gatewayRules` returns the current rules of the gateway. */
export function createOwnRules(
  settings: Settings,
  gatewayRules: () => PermissionRules | undefined,
): OwnRulesStore {
  const read = async (owner: string): Promise<SavedRules> => {
    const stored = await settings.read(owner, rulesKey)
    // The value was validated when it was saved: a mismatch is a bug, not an input error.
    return { rules: ownRulesSchema.parse(stored?.value ?? {}), version: stored?.version }
  }
  return {
    read,
    async save(owner, rules, expectedVersion) {
      checkOwnRules(rules)
      const expected = expectedVersion === undefined ? {} : { expectedVersion }
      const { version } = await settings.save(owner, rulesKey, rules, { createdBy: owner, ...expected })
      return version
    },
    async effective(owner, own) {
      if (own !== undefined) checkOwnRules(own)
      return effectiveRules(gatewayRules() ?? {}, own ?? (await read(owner)).rules)
    },
    describe(rules, tools) {
      checkOwnRules(rules)
      if (isEmpty(rules)) return []
      const { trustAnnotations = [] } = gatewayRules() ?? {}
      const described = describeRules(effectiveRules({ trustAnnotations }, rules), tools)
      return described.map((rule) => ({
        ...rule,
        tools: rule.tools.slice(0, maxNames),
        toolCount: rule.tools.length,
      }))
    },
  }
}

/** Throws a `ConfigError` whose positions are those in the request. */
function checkOwnRules(rules: OwnRules): void {
  try {
    checkPermissions(effectiveRules({}, rules))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw ConfigError.of(error.issues.map((issue) => ({ ...issue, path: `/rules${issue.path}` })))
  }
}
