import { anthropicProfile } from './anthropic.ts'
import { genericProfile } from './generic.ts'
import { googleProfile } from './google.ts'
import { mistralProfile } from './mistral.ts'
import { openaiProfile } from './openai.ts'
import { openaiStrictProfile } from './openai-strict.ts'
import type { ProfileName, ProviderProfile } from './profile.ts'

/** Every profile by its name. */
export const profiles: Readonly<Record<ProfileName, ProviderProfile>> = {
  'openai-strict': openaiStrictProfile,
  openai: openaiProfile,
  anthropic: anthropicProfile,
  google: googleProfile,
  mistral: mistralProfile,
  generic: genericProfile,
}
