/** Providers whose rules for tools are known; `generic` keeps to what all of them take. */
export type ProfileName = 'openai-strict' | 'openai' | 'anthropic' | 'google' | 'mistral' | 'generic'

/** What a provider that takes a small part of JSON Schema has words for. */
export interface SubsetRules {
  /** `strict`: every property is required and null stands for what is left out. `openapi`: an OpenAPI 3.0 schema. */
  readonly kind: 'strict' | 'openapi'
  /** Constraints that may stand in a schema; others are told to the model in words. */
  readonly keywords: ReadonlySet<string>
  readonly formats: ReadonlySet<string>
  readonly maxProperties: number
  readonly maxNesting: number
  readonly maxEnumValues: number
  /** Characters of all names and listed values together. */
  readonly maxNameCharacters: number
}

/** What a provider takes of the whole of JSON Schema. */
export interface WholeRules {
  readonly kind: 'whole'
  /** An array must say what its items are. */
  readonly needsItems: boolean
}

/** The rules of one model provider for tools. */
export interface ProviderProfile {
  readonly name: ProfileName
  readonly toolName: RegExp
  readonly propertyName: RegExp
  /** Patterns may look ahead and behind; elsewhere one that does would fail the whole request. */
  readonly hasLookaround: boolean
  /** Characters of a tool's description. */
  readonly descriptionBudget: number
  /** Characters of the description of one argument. */
  readonly argumentBudget: number
  /** Characters of a schema as JSON. */
  readonly maxSchemaLength: number
  readonly schema: SubsetRules | WholeRules
  /** The profile of tools that this one cannot express. */
  readonly otherwise?: ProviderProfile
}
