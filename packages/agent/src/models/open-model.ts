import type { ProfileName } from '@toolbridge/bridge'
import { isLoopbackHostname, nearestName, parsedUrl, proxiedFetch } from '@toolbridge/client/internal'
import { type LanguageModel, wrapLanguageModel } from 'ai'
import { ModelError } from '../model-error.ts'
import { type Provider, providers } from './providers.ts'
import { shallowArguments } from './shallow-arguments.ts'
import { withoutWarnings } from './without-warnings.ts'

/** A language model, and how tools are written for it. */
export interface Model {
  /** `provider/model`. */
  readonly name: string
  readonly model: LanguageModel
  /** The provider profile that tools are compiled for. */
  readonly profile: ProfileName
  /** Removes the key from a text. Default: returns the text. */
  readonly redact?: (text: string) => string
}

/** Options of `openModel`. */
export interface OpenModelOptions {
  /** Variables with keys and base URLs. Default: `process.env`; none if `apiKey` is given. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Address of the API instead of the provider's own. Default: the provider's variable, such as `OPENAI_BASE_URL`. */
  readonly baseUrl?: string
  /** The key, for a host that has those of its users. Default: the provider's variable, such as `OPENAI_API_KEY`. */
  readonly apiKey?: string
  /** Sends the requests; must not follow redirects, which would get the key. Default: `fetch` through the proxy of the environment. */
  readonly fetch?: typeof fetch
}

/**
 * Opens a model by `provider/model`, such as `openai/gpt-5`; `compatible` is any server with the API of OpenAI's chat
 * completions. Sends nothing. Rejects with a `ModelError` that names the variable to set, or the known providers.
 *
 * @example
 * ```ts
 * import { openModel } from '@toolbridge/agent'
 *
 * const model = await openModel('compatible/llama3.2', { baseUrl: 'http://127.0.0.1:11434/v1' })
 * console.log(model.name, model.profile) // compatible/llama3.2 generic
 * ```
 */
export async function openModel(name: string, options: OpenModelOptions = {}): Promise<Model> {
  // A key of the host goes to no address of this process.
  const { env = options.apiKey === undefined ? process.env : {} } = options
  const { provider, providerName, model } = providerOf(name)
  // Never left to the provider's package, which may read the environment of the process.
  const baseURL = options.baseUrl ?? valueOf(env, provider.baseUrl) ?? provider.address
  const apiKey =
    options.apiKey ?? provider.keys.map((key) => valueOf(env, key)).find((key) => key !== undefined)
  requireKey(providerName, provider, apiKey)
  requireBaseUrl(providerName, provider, baseURL)
  requireSafeUrl(providerName, baseURL, apiKey)
  const create = await provider.load({
    // Follows no redirect: headers with keys would be sent to wherever it leads.
    fetch: options.fetch ?? proxiedFetch,
    baseURL,
    ...(apiKey === undefined ? {} : { apiKey }),
  })
  return {
    name,
    model: wrapLanguageModel({ model: create(model), middleware: [withoutWarnings, shallowArguments] }),
    profile: provider.profile,
    redact: (text) => (apiKey === undefined ? text : text.replaceAll(apiKey, '[key]')),
  }
}

interface NamedProvider {
  readonly provider: Provider
  readonly providerName: string
  readonly model: string
}

const useKnown = `use one of ${Object.keys(providers).join(', ')}; the name of a model is provider/model, and compatible is any server with OpenAI's API, such as compatible/llama3.2 for Ollama`

function providerOf(name: string): NamedProvider {
  const [, providerName = name, model = ''] = /^([^/]*)\/(.*)$/s.exec(name) ?? []
  const known = Object.keys(providers)
  const provider = known.includes(providerName) ? providers[providerName] : undefined
  if (provider === undefined) {
    const nearest = nearestName(providerName, known)
    const hint = nearest === undefined ? useKnown : `did you mean "${nearest}"?`
    throw new ModelError('unknown_provider', `unknown provider "${providerName}" in "${name}": ${hint}`)
  }
  if (model === '')
    throw new ModelError('invalid_model', `"${name}" names no model: write ${providerName}/<model>`)
  return { provider, providerName, model }
}

function requireKey(name: string, { keys, address }: Provider, apiKey: string | undefined): void {
  const variables = `the environment variable ${keys.join(' or ')}`
  if (apiKey === undefined && address !== undefined)
    throw new ModelError('no_key', `no key for ${name}: set ${variables}`)
  if (apiKey !== undefined && !headerValue.test(apiKey))
    throw new ModelError('no_key', `the key of ${name} has a character that no key has: check ${variables}`)
}

const headerValue = /^[ -~]*$/

function requireBaseUrl(
  name: string,
  { baseUrl: variable }: Provider,
  baseUrl: string | undefined,
): asserts baseUrl is string {
  if (baseUrl !== undefined) return
  const message = `no address for ${name}: set a base URL or the environment variable ${variable}, such as http://127.0.0.1:11434/v1`
  throw new ModelError('invalid_model', message)
}

function requireSafeUrl(name: string, baseUrl: string, apiKey: string | undefined): void {
  const url = parsedUrl(baseUrl)
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new ModelError('invalid_model', `the base URL of ${name} is not an http or https URL`)
  if (url.username !== '' || url.password !== '')
    throw new ModelError('invalid_model', `the base URL of ${name} has a user name or password: remove it`)
  if (apiKey !== undefined && url.protocol === 'http:' && !isLoopbackHostname(url.hostname))
    throw new ModelError('invalid_model', `the key of ${name} is not sent without encryption: use https`)
}

/** An empty variable counts as not set. */
function valueOf(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}
