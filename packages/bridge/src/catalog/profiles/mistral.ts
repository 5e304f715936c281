import { openaiProfile } from './openai.ts'
import type { ProviderProfile } from './profile.ts'

/**
 * Mistral: the rules of OpenAI without strict mode.
 * Limits: https://docs.mistral.ai/capabilities/function_calling
 */
export const mistralProfile: ProviderProfile = { ...openaiProfile, name: 'mistral' }
