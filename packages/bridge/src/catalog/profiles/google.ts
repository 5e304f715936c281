import type { ProviderProfile } from './profile.ts'

/**
 * Google: the subset of OpenAPI 3.0 that function declarations accept.
 * Limits: https://ai.google.dev/api/caching#FunctionDeclaration
 */
export const googleProfile: ProviderProfile = {
  name: 'google',
  // Stricter than the documentation, which also permits `.`, `:` and `-`: the names that every function API accepts.
  toolName: /^[A-Za-z_][A-Za-z0-9_]*$/,
  maxToolNameLength: 64,
  propertyName: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
  hasLookaround: false,
  descriptionBudget: 4_096,
  argumentBudget: 1_024,
  maxSchemaLength: 100_000,
  schema: {
    kind: 'openapi',
    keywords: new Set([
      'minimum',
      'maximum',
      'minLength',
      'maxLength',
      'pattern',
      'minItems',
      'maxItems',
      'minProperties',
      'maxProperties',
    ]),
    formats: new Set(['date-time', 'float', 'double', 'int32', 'int64']),
    maxProperties: 5_000,
    maxNesting: 20,
    maxEnumValues: 5_000,
    maxNameCharacters: 120_000,
  },
}
