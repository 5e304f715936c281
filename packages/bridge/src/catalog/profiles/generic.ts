import type { ProviderProfile } from './profile.ts'

/** Any provider that takes JSON Schema: an object at the top, everything in the words of 2020-12. */
export const genericProfile: ProviderProfile = {
  name: 'generic',
  toolName: /^[A-Za-z0-9_-]{1,64}$/,
  propertyName: /^[\s\S]*$/,
  hasLookaround: false,
  descriptionBudget: 4_096,
  argumentBudget: 1_024,
  maxSchemaLength: 250_000,
  schema: { kind: 'whole', needsItems: false },
}
