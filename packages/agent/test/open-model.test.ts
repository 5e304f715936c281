import { inspect } from 'node:util'
import { openModel, runAgent } from '@toolbridge/agent'
import { provider } from '@toolbridge/testkit/models'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, onTestFinished, test, vi } from 'vitest'

const key = canary('model-key')

test.each([
  ['openai', 'OPENAI_API_KEY'],
  ['anthropic', 'ANTHROPIC_API_KEY'],
  ['google', 'GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY'],
  ['mistral', 'MISTRAL_API_KEY'],
  ['xai', 'XAI_API_KEY'],
])('without a key for %s, the variable to set is named', async (provider, variable) => {
  for (const env of [{}, { OPENAI_API_KEY: ' ', ANTHROPIC_API_KEY: '' }])
    await expect(openModel(`${provider}/some-model`, { env })).rejects.toMatchObject({
      name: 'ModelError',
      code: 'no_key',
      message: expect.stringContaining(`set the environment variable ${variable}`),
    })
})

test.each(['\u201c%s\u201d', '%s\nOTHER=1', '\u001b[31m%s'])(
  'a key that cannot be sent is refused, and not shown: %j',
  async (pattern) => {
    const env = { OPENAI_API_KEY: pattern.replace('%s', key) }
    const error: unknown = await openModel('openai/gpt', { env }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'no_key', message: expect.stringContaining('check the environment') })
    expect(inspect(error)).not.toContain(key)
  },
)

test('the second variable of a provider is used if the first is not set', async () => {
  const model = await openModel('google/gemini', { env: { GEMINI_API_KEY: key } })
  expect(model).toMatchObject({ name: 'google/gemini', profile: 'google' })
})

test.each([
  ['opnai/gpt', 'unknown provider "opnai" in "opnai/gpt": did you mean "openai"?'],
  ['claude', 'unknown provider "claude" in "claude": use one of openai, anthropic'],
  ['ollama/llama3.2', 'such as compatible/llama3.2 for Ollama'],
  ['constructor/a', 'use one of'],
  ['__proto__/a', 'use one of'],
  ['/gpt', 'use one of'],
  ['', 'use one of'],
])('an unknown provider is refused: %s', async (name, message) => {
  await expect(openModel(name, { env: {} })).rejects.toMatchObject({
    code: 'unknown_provider',
    message: expect.stringContaining(message),
  })
})

test.each(['openai', 'openai/'])('a name without a model is refused: %s', async (name) => {
  await expect(openModel(name, { env: { OPENAI_API_KEY: key } })).rejects.toMatchObject({
    code: 'invalid_model',
    message: expect.stringContaining('openai/<model>'),
  })
})

test('a compatible server needs an address, and no key', async () => {
  await expect(openModel('compatible/llama', { env: {} })).rejects.toMatchObject({
    code: 'invalid_model',
    message: expect.stringContaining('OPENAI_COMPATIBLE_BASE_URL'),
  })
  const env = { OPENAI_COMPATIBLE_BASE_URL: 'http://192.0.2.1:8080/v1' }
  expect((await openModel('compatible/a/b', { env })).name).toBe('compatible/a/b')
})

test.each([
  ['no URL', 'example.com/v1', 'is not an http or https URL'],
  ['another protocol', 'file:///etc/passwd', 'is not an http or https URL'],
  ['a key without encryption', 'http://192.0.2.1/v1', 'is not sent without encryption'],
  [
    'a host that looks like this machine',
    'http://127.0.0.1.example.com/v1',
    'is not sent without encryption',
  ],
  ['a password', 'https://me:hunter2@example.com/v1', 'user name or password'],
])('a base URL with %s is refused', async (_what, baseUrl, message) => {
  const error: unknown = await openModel('openai/gpt', { env: { OPENAI_API_KEY: key }, baseUrl }).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ code: 'invalid_model', message: expect.stringContaining(message) })
  expect(String(error)).not.toContain('hunter2')
})

test.each(['http://127.0.0.1:1/v1', 'http://localhost:1/v1', 'http://[::1]:1/v1', 'https://example.com/v1'])(
  'a key may be sent to %s',
  async (OPENAI_BASE_URL) => {
    const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL }
    expect((await openModel('openai/gpt', { env })).profile).toBe('openai')
  },
)

test.each([
  ['openai/gpt', 'https://api.openai.com/v1/'],
  ['anthropic/claude', 'https://api.anthropic.com/v1/'],
  ['google/gemini', 'https://generativelanguage.googleapis.com/v1beta/'],
  ['mistral/large', 'https://api.mistral.ai/v1/'],
  ['xai/grok', 'https://api.x.ai/v1/'],
])('a key of the given variables goes to no address of other variables: %s', async (name, address) => {
  const variable = (name.split('/')[0] ?? '').toUpperCase()
  const [keyName, urlName] =
    variable === 'GOOGLE'
      ? ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_BASE_URL']
      : [`${variable}_API_KEY`, `${variable}_BASE_URL`]
  vi.stubEnv(urlName, 'http://192.0.2.1/v1')
  const sent = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('not sent'))
  try {
    const model = await openModel(name, { env: { [keyName]: key } })
    const messages = [{ role: 'user', content: 'Hello' }] as const
    await expect(runAgent({ model, messages, maxRetries: 0 })).rejects.toThrow('not sent')
    expect(sent).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(address), expect.anything())
  } finally {
    sent.mockRestore()
    vi.unstubAllEnvs()
  }
})

test('a key of the host goes to no address of the process', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('OPENAI_BASE_URL', 'https://elsewhere.example/v1')
  const sent: string[] = []
  const refuse: typeof fetch = async (input) => {
    sent.push(new Request(input).url)
    throw new Error('not sent')
  }
  const model = await openModel('openai/gpt', { apiKey: key, fetch: refuse })
  await expect(
    runAgent({ model, messages: [{ role: 'user', content: 'Hello' }], maxRetries: 0 }),
  ).rejects.toThrow('not sent')
  expect(sent).toEqual([expect.stringContaining('https://api.openai.com/v1/')])
})

test('a model shows no key when it is printed', async () => {
  const { name, profile } = await openModel('openai/gpt', { env: { OPENAI_API_KEY: key } })
  expect(inspect({ name, profile }, { depth: 20 })).not.toContain(key)
})

test('requests go through the proxy of the environment, like those to servers', async () => {
  await using proxy = await provider(() => ({ json: { error: { message: 'it is me' } }, status: 400 }))
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('http_proxy', proxy.url)
  vi.stubEnv('no_proxy', '')
  const model = await openModel('compatible/llama', { env: {}, baseUrl: 'http://models.example/v1' })
  await expect(runAgent({ model, messages: [{ role: 'user', content: 'Hello' }] })).rejects.toThrow(
    'it is me',
  )
  expect(proxy.requests.map(({ path }) => path)).toEqual(['http://models.example/v1/chat/completions'])
})
