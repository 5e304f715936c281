import type { ProfileName } from '@toolbridge/bridge'
import type { wrapLanguageModel } from 'ai'

/** What a provider needs to create its models. */
export interface ProviderSettings {
  readonly apiKey?: string
  readonly baseURL: string
  readonly fetch: typeof fetch
}

/** A model of a provider's package. */
export type ProviderModel = Parameters<typeof wrapLanguageModel>[0]['model']

/** A provider of models. */
export interface Provider {
  /** Environment variables with the key; the first that is set is used. */
  readonly keys: readonly [string, ...string[]]
  /** Environment variable with the base URL. */
  readonly baseUrl: string
  /** The provider's own base URL. Undefined if it has none, and works without a key. */
  readonly address: string | undefined
  /** The rules for tools. */
  readonly profile: ProfileName
  /** Loads the provider's package. */
  load(settings: ProviderSettings): Promise<(model: string) => ProviderModel>
}

/** Providers by the first part of a model's name. Each package is loaded on first use. */
export const providers: Readonly<Record<string, Provider>> = {
  openai: {
    keys: ['OPENAI_API_KEY'],
    baseUrl: 'OPENAI_BASE_URL',
    address: 'https://api.openai.com/v1',
    profile: 'openai',
    load: async (settings) => (await import('@ai-sdk/openai')).createOpenAI(settings),
  },
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'],
    baseUrl: 'ANTHROPIC_BASE_URL',
    address: 'https://api.anthropic.com/v1',
    profile: 'anthropic',
    load: async (settings) => (await import('@ai-sdk/anthropic')).createAnthropic(settings),
  },
  google: {
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    baseUrl: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    address: 'https://generativelanguage.googleapis.com/v1beta',
    profile: 'google',
    load: async (settings) => (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings),
  },
  mistral: {
    keys: ['MISTRAL_API_KEY'],
    baseUrl: 'MISTRAL_BASE_URL',
    address: 'https://api.mistral.ai/v1',
    profile: 'mistral',
    load: async (settings) => (await import('@ai-sdk/mistral')).createMistral(settings),
  },
  xai: {
    keys: ['XAI_API_KEY'],
    baseUrl: 'XAI_BASE_URL',
    address: 'https://api.x.ai/v1',
    profile: 'openai',
    load: async (settings) => (await import('@ai-sdk/xai')).createXai(settings),
  },
  /** Any server with the API of OpenAI's chat completions, such as one on this machine. */
  compatible: {
    keys: ['OPENAI_COMPATIBLE_API_KEY'],
    baseUrl: 'OPENAI_COMPATIBLE_BASE_URL',
    address: undefined,
    profile: 'generic',
    load: async (settings) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ name: 'compatible', includeUsage: true, ...settings })
    },
  },
}
