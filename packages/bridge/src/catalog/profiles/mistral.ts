import { openaiProfile } from './openai.ts'
import type { ProviderProfile } from './profile.ts'

/** Mistral: the rules of OpenAI without strict mode. */
export const mistralProfile: ProviderProfile = { ...openaiProfile, name: 'mistral' }
