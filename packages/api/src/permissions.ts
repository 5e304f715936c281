import { z } from 'zod'

/** A condition on an argument: a string is a glob; any other value, and that of `equals`, must be equal. */
export type OwnRuleCondition = string | number | boolean | null | { readonly equals: unknown }

/** A rule with more conditions than a pattern can express. All of them must hold. */
export interface OwnRule {
  /** A pattern such as `mcp:<public name>` or `mcp://<server>/<tool>`. */
  readonly match: string
  /** Conditions on arguments, by JSON pointer or dotted path; of a list, one must hold. Default: none. */
  readonly arguments?: Readonly<Record<string, OwnRuleCondition | readonly OwnRuleCondition[]>> | undefined
  /** Required annotations of the tool. Default: none. */
  readonly annotations?: Readonly<Record<string, boolean>> | undefined
}

/** The permission rules of one person. The rules of the gateway apply as well, and the strictest verdict holds. */
export interface OwnRules {
  /** The verdict for calls that no rule covers: `plan` denies every call. Default: the mode of the gateway. */
  readonly mode?: 'ask' | 'allow' | 'plan' | undefined
  /** Calls that need no approval. Default: none. */
  readonly allow?: readonly (string | OwnRule)[] | undefined
  /** Calls that need an approval. Default: none. */
  readonly ask?: readonly (string | OwnRule)[] | undefined
  /** Calls that are denied. Default: none. */
  readonly deny?: readonly (string | OwnRule)[] | undefined
}

const conditionSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ equals: z.unknown() }),
])

const ruleSchema = z.union(
  [
    z.string().max(2_000),
    z.strictObject({
      match: z.string().max(2_000),
      arguments: z.record(z.string(), z.union([conditionSchema, z.array(conditionSchema)])).optional(),
      annotations: z.record(z.string(), z.boolean()).optional(),
    }),
  ],
  { error: 'must be a pattern such as "mcp://server/tool", or an object with "match"' },
)

const rulesSchema = z.array(ruleSchema).max(500).optional()

/** Schema of `OwnRules`. Patterns are checked by the gateway. */
export const ownRulesSchema: z.ZodType<OwnRules> = z.strictObject({
  mode: z.enum(['ask', 'allow', 'plan']).optional(),
  allow: rulesSchema,
  ask: rulesSchema,
  deny: rulesSchema,
})

/** Response of `GET /api/permissions`. */
export interface PermissionsResponse {
  /** The caller's own rules. */
  readonly rules: OwnRules
  /** Version of the rules. Absent if none were saved yet. */
  readonly version?: number
  /** The mode of the gateway. */
  readonly gatewayMode: 'ask' | 'allow' | 'yolo' | 'plan'
}

/** Body of `PUT /api/permissions`. */
export interface SavePermissionsRequest {
  /** The new rules. They replace all of the caller's. */
  readonly rules: OwnRules
  /** Expected current version, 0 if nothing was saved yet; any other current version is a 409. Default: any. */
  readonly version?: number | undefined
}

/** Schema of `SavePermissionsRequest`. */
export const savePermissionsRequestSchema: z.ZodType<SavePermissionsRequest> = z.strictObject({
  rules: ownRulesSchema,
  version: z.int32().nonnegative().optional(),
})

/** Response of `PUT /api/permissions`. The rules apply to calls that begin from now on. */
export interface SavePermissionsResponse {
  /** Always true. */
  readonly success: true
  /** Version of the rules. */
  readonly version: number
}

/** Body of `POST /api/permissions/describe`. */
export interface DescribeRulesRequest {
  /** Rules to describe. They need not be saved. */
  readonly rules: OwnRules
}

/** Schema of `DescribeRulesRequest`. */
export const describeRulesRequestSchema: z.ZodType<DescribeRulesRequest> = z.strictObject({
  rules: ownRulesSchema,
})

/** What a rule says, and which tools it covers. */
export interface OwnRuleDescription {
  /** The list that the rule is in. */
  readonly kind: 'allow' | 'ask' | 'deny'
  /** Index in that list. */
  readonly index: number
  /** What the rule does, in one sentence. */
  readonly sentence: string
  /** Public names of the present tools that the rule covers, at most twenty. */
  readonly tools: readonly string[]
  /** How many tools it covers. */
  readonly toolCount: number
  /** Whether it covers only calls with certain arguments. */
  readonly dependsOnArguments: boolean
}

/** Response of `POST /api/permissions/describe`. */
export interface DescribeRulesResponse {
  /** The rules of `allow`, `ask` and `deny`, in this order. */
  readonly rules: readonly OwnRuleDescription[]
}

/** Body of `POST /api/permissions/test`. */
export interface TestPermissionRequest {
  /** Public name or `mcp://` URI of a tool. */
  readonly tool: string
  /** Arguments of the call. Default: unknown. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
  /** Rules to test in place of the caller's own. Default: the saved ones. */
  readonly rules?: OwnRules | undefined
}

/** Schema of `TestPermissionRequest`. */
export const testPermissionRequestSchema: z.ZodType<TestPermissionRequest> = z.strictObject({
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).optional(),
  rules: ownRulesSchema.optional(),
})

/** One rule, definition or mode that was considered for a call. */
export interface PermissionTestStep {
  /** Whose it is: the caller's own, of the gateway, or of the server definition. */
  readonly source: 'own' | 'gateway' | 'definition'
  /** `approve`: a rule of the gateway that answers what asks. */
  readonly kind: 'allow' | 'ask' | 'deny' | 'approve' | 'definition' | 'mode'
  /** The rule, or what the definition or the mode says. */
  readonly text: string
  /** `depends`: on arguments, which are unknown. */
  readonly match: 'yes' | 'no' | 'depends'
  /** Why it does not match. */
  readonly because?: string
  /** Whether the verdict is this one's. */
  readonly decides: boolean
}

/** Response of `POST /api/permissions/test`: what rules say about a call, which is not made. */
export interface TestPermissionResponse {
  /** The tool. */
  readonly tool: { readonly name: string; readonly server: string; readonly rawName: string }
  /** `depends`: on arguments, which are unknown. */
  readonly verdict: 'allow' | 'ask' | 'deny' | 'depends'
  /** The rule, definition or mode that decides. */
  readonly reason: string
  /** The argument that names a control file, which a person has to approve. */
  readonly controlFile?: string
  /** Whether a kept approval answers a verdict that asks. */
  readonly isGranted: boolean
  /** What was considered, in order. */
  readonly steps: readonly PermissionTestStep[]
}

/** Body of `POST /api/permissions/dry-run`. */
export interface DryRunRequest {
  /** Rules to evaluate in place of the caller's own. */
  readonly rules: OwnRules
}

/** Schema of `DryRunRequest`. */
export const dryRunRequestSchema: z.ZodType<DryRunRequest> = z.strictObject({ rules: ownRulesSchema })

/** A past call that the rules would decide differently. */
export interface DryRunChange {
  /** Id of the call in the activity. */
  readonly id: string
  /** Time of the call, as ISO 8601. */
  readonly at: string
  /** Public name of the tool. */
  readonly tool: string
  /** Name of the server. */
  readonly server: string
  /** The verdict at the time. */
  readonly before: 'allow' | 'ask' | 'deny'
  /** The verdict of the rules; `depends` if it depends on arguments that are unknown. */
  readonly after: 'allow' | 'ask' | 'deny' | 'depends'
  /** The rule or mode that decides. */
  readonly reason: string
}

/** Response of `POST /api/permissions/dry-run`. Kept approvals, definitions and changed tools are not considered. */
export interface DryRunResponse {
  /** The calls that are decided differently, newest first. */
  readonly changes: readonly DryRunChange[]
  /** Number of calls that are decided as before. */
  readonly unchangedCount: number
}

/** A permanent approval of a tool, in the version that was approved. */
export interface GrantSummary {
  /** Identifies the grant. */
  readonly id: string
  /** Name of the server. */
  readonly server: string
  /** The server's own name for the tool. */
  readonly tool: string
  /** The rules that asked. */
  readonly asks: readonly string[]
}

/** Response of `GET /api/grants`. */
export interface GrantsResponse {
  /** The caller's grants, by server and tool. */
  readonly grants: readonly GrantSummary[]
}

/** What was approved of a tool, compared with what the tool is now. */
export interface PinSummary {
  /** Public name of the tool. */
  readonly tool: string
  /** Name of the server. */
  readonly server: string
  /** The server's own name for the tool. */
  readonly rawName: string
  /** `changed` and `unreadable`: the next call is asked about. */
  readonly state: 'unchanged' | 'changed' | 'unreadable'
  /** Line diff of a changed tool: `-` marks what was approved, `+` what is new. Text of the server: untrusted. */
  readonly change?: string
}

/** Response of `GET /api/pins`. */
export interface PinsResponse {
  /** The pins of the tools of running servers. */
  readonly pins: readonly PinSummary[]
}
