import { expect, test } from 'vitest'
import { type ModelShape, type ScriptedModel, scriptedModel } from '../src/models/index.ts'

const paths: Readonly<Record<ModelShape, string>> = {
  openai: '/responses',
  anthropic: '/messages',
  google: '/models/scripted:streamGenerateContent?alt=sse',
  mistral: '/chat/completions',
  xai: '/chat/completions',
  compatible: '/chat/completions',
}

function ask({ baseUrl }: ScriptedModel, path: string, signal?: AbortSignal): Promise<Response> {
  const body = JSON.stringify({ stream: true })
  return fetch(`${baseUrl}${path}`, { method: 'POST', body, ...(signal === undefined ? {} : { signal }) })
}

test.each(Object.entries(paths))(
  'a scripted model of %s answers by its script, and at its own path only',
  async (shape, path) => {
    await using model = await scriptedModel({ shape: shape as ModelShape, turns: [{ text: 'Hello, Ada!' }] })
    const answer = await ask(model, path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(await answer.text()).toMatch(/Hello, [\s\S]*Ada!/)
    expect((await ask(model, path)).status).toBe(400)
    expect((await ask(model, '/other')).status).toBe(404)
    expect(model.requests).toHaveLength(2)
    expect(model.name).toBe(`${shape}/scripted`)
    expect(Object.values(model.env)).toContain(model.baseUrl)
  },
)

test('an answer that hangs is counted when the client gives up', async () => {
  await using model = await scriptedModel({ shape: 'openai', turns: [{ text: 'Hello', hang: true }] })
  const abort = new AbortController()
  const answer = await ask(model, paths.openai, abort.signal)
  const text = answer.text().catch(() => 'gave up')
  abort.abort()
  expect(await text).toBe('gave up')
  await expect.poll(() => model.cancelled).toBe(1)
})

test('an answer that is cut fails at the client, and counts as no cancellation', async () => {
  await using model = await scriptedModel({ shape: 'openai', turns: [{ text: 'Hello', cut: true }] })
  const answer = await ask(model, paths.openai)
  await expect(answer.text()).rejects.toThrow()
  expect(model.cancelled).toBe(0)
})
