import type { ProviderProfile } from './profile.ts'

/** Any provider that accepts JSON Schema 2020-12 with an object at the root. */
export const genericProfile: ProviderProfile = {
  name: 'generic',
  toolName: /^[A-Za-z0-9_-]+$/,
  maxToolNameLength: 64,
  propertyName: /^[\s\S]*$/,
  hasLookaround: false,
  descriptionBudget: 4_096,
  argumentBudget: 1_024,
  maxSchemaLength: 250_000,
  schema: { kind: 'whole', needsItems: false },
}
