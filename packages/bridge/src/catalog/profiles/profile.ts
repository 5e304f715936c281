/** The known model providers; `generic` is any other that accepts JSON Schema 2020-12. */
export type ProfileName = 'openai-strict' | 'openai' | 'anthropic' | 'google' | 'mistral' | 'generic'

/** The rules of a provider that accepts a subset of JSON Schema. */
export interface SubsetRules {
  /** `strict`: every property is required, and null means omitted. `openapi`: an OpenAPI 3.0 schema. */
  readonly kind: 'strict' | 'openapi'
  /** Supported constraints; others are added to descriptions. */
  readonly keywords: ReadonlySet<string>
  readonly formats: ReadonlySet<string>
  readonly maxProperties: number
  readonly maxNesting: number
  readonly maxEnumValues: number
  /** Maximum number of characters of all names and enum values. */
  readonly maxNameCharacters: number
}

/** The rules of a provider that accepts all of JSON Schema. */
export interface WholeRules {
  readonly kind: 'whole'
  /** Arrays must define `items`. */
  readonly needsItems: boolean
}

/** The rules of one model provider for tools. */
export interface ProviderProfile {
  readonly name: ProfileName
  /** The characters that a tool name may have. */
  readonly toolName: RegExp
  /** Maximum number of characters of a tool name. */
  readonly maxToolNameLength: number
  /** The argument names that the provider accepts: at least `[A-Za-z_][A-Za-z0-9_]*` of up to 51 characters. */
  readonly propertyName: RegExp
  /** Patterns may use lookaround; other providers would reject the whole request. */
  readonly hasLookaround: boolean
  /** Maximum number of characters of a tool description. */
  readonly descriptionBudget: number
  /** Maximum number of characters of an argument description. */
  readonly argumentBudget: number
  /** Maximum number of characters of a schema as JSON. */
  readonly maxSchemaLength: number
  readonly schema: SubsetRules | WholeRules
  /** The profile for tools that this one cannot express. */
  readonly otherwise?: ProviderProfile
}
