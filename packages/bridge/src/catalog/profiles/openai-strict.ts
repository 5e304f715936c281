import { openaiProfile } from './openai.ts'
import type { ProviderProfile } from './profile.ts'

/**
 * OpenAI strict mode: arguments always match the schema. Tools that it cannot express use the profile `openai`.
 * Limits: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export const openaiStrictProfile: ProviderProfile = {
  ...openaiProfile,
  name: 'openai-strict',
  schema: {
    kind: 'strict',
    keywords: new Set([
      'pattern',
      'multipleOf',
      'minimum',
      'maximum',
      'exclusiveMinimum',
      'exclusiveMaximum',
      'minItems',
      'maxItems',
    ]),
    formats: new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']),
    maxProperties: 5_000,
    maxNesting: 10,
    maxEnumValues: 1_000,
    maxNameCharacters: 120_000,
  },
  otherwise: openaiProfile,
}
