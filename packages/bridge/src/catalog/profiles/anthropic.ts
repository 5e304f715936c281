import type { ProviderProfile } from './profile.ts'

/**
 * Anthropic: any 2020-12 schema with an object at the root, and ASCII property names.
 * Limits: https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use
 */
export const anthropicProfile: ProviderProfile = {
  name: 'anthropic',
  toolName: /^[A-Za-z0-9_-]+$/,
  maxToolNameLength: 128,
  propertyName: /^[A-Za-z0-9_.-]{1,64}$/,
  hasLookaround: true,
  descriptionBudget: 10_000,
  argumentBudget: 2_048,
  maxSchemaLength: 100_000,
  schema: { kind: 'whole', needsItems: false },
}
