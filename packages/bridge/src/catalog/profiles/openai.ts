import type { ProviderProfile } from './profile.ts'

/**
 * OpenAI without strict mode: any schema with an object at the root.
 * Limits: https://platform.openai.com/docs/guides/function-calling
 */
export const openaiProfile: ProviderProfile = {
  name: 'openai',
  toolName: /^[A-Za-z0-9_-]+$/,
  maxToolNameLength: 64,
  propertyName: /^[\s\S]+$/,
  hasLookaround: false,
  descriptionBudget: 1_024,
  argumentBudget: 1_024,
  maxSchemaLength: 100_000,
  schema: { kind: 'whole', needsItems: true },
}
