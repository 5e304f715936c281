import { GoogleGenAI } from '@google/genai'
import { type Bridge, openBridge } from '@toolbridge/bridge'
import { googleContents, googleTool } from '@toolbridge/bridge/google'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { events, type Provider, provider } from '@toolbridge/testkit/models'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

let bridge: Bridge
beforeAll(async () => {
  bridge = await openBridge(permissive([inMemory('gallery'), inMemory('hello')]))
})
afterAll(() => bridge.close())

interface Declared {
  readonly functionDeclarations: readonly { readonly name: string; readonly parameters?: object }[]
}

function client({ url }: Provider): GoogleGenAI {
  return new GoogleGenAI({ apiKey: canary('api-key'), httpOptions: { baseUrl: url } })
}

function candidate(part: object): object {
  return { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }
}

function answerTo(
  name: string,
  args: object,
): (request: unknown, turn: number) => { readonly json: unknown } {
  return (_, turn) => ({
    json: candidate(turn === 0 ? { functionCall: { id: 'f1', name, args } } : { text: 'done' }),
  })
}

async function turn(name: string, args: object): Promise<unknown> {
  await using api = await provider(answerTo(name, args))
  const response = await client(api).models.generateContent({
    model: 'gemini',
    contents: 'go on',
    config: { tools: [googleTool(bridge)] },
  })
  expect(response.text).toBe('done')
  const contents = api.requests[1]?.body['contents']
  return Array.isArray(contents) ? contents.at(-1) : undefined
}

test("Google's own loop makes a call and reads its text [S4-3]", async () => {
  expect(await turn('hello__hello', { name: 'Ada' })).toEqual({
    role: 'user',
    parts: [{ functionResponse: { id: 'f1', name: 'hello__hello', response: { output: 'Hello, Ada!' } } }],
  })
})

test('a declaration holds only what the API has words for', async () => {
  await using api = await provider(answerTo('hello__hello', {}))
  await client(api).models.generateContent({
    model: 'gemini',
    contents: 'go on',
    config: { tools: [googleTool(bridge)] },
  })
  const [tool] = (api.requests[0]?.body['tools'] ?? []) as Declared[]
  const declared = new Map(
    (tool?.functionDeclarations ?? []).map(({ name, parameters }) => [name, parameters]),
  )
  const text = JSON.stringify(tool)
  for (const word of ['$ref', '$defs', 'additionalProperties', '"const"', 'oneOf', 'allOf'])
    expect(text).not.toContain(word)
  expect(declared.get('gallery__picture')).toBeUndefined()
  expect(declared.get('gallery__echo')).toMatchObject({
    type: 'OBJECT',
    required: ['text'],
    properties: { text: { type: 'STRING', minLength: '2' }, when: { type: 'STRING', format: 'date-time' } },
  })
  expect(declared.has('gallery__lost')).toBe(false)
})

test('pictures come with the answer, and a failure is an error', async () => {
  expect(await turn('gallery__picture', {})).toMatchObject({
    parts: [
      {
        functionResponse: {
          response: { output: 'look' },
          parts: [{ inlineData: { mimeType: 'image/png' } }],
        },
      },
    ],
  })
  expect(await turn('gallery__broken_picture', {})).toMatchObject({
    parts: [{ functionResponse: { response: { error: 'the tool failed' }, parts: [{ inlineData: {} }] } }],
  })
  expect(await turn('gallery__echo', { text: 'a' })).toMatchObject({
    parts: [
      { functionResponse: { response: { error: expect.stringContaining('fewer than 2 characters') } } },
    ],
  })
})

test('the same works streaming', async () => {
  await using api = await provider((_, count) => ({
    events: events([
      undefined,
      candidate(
        count === 0
          ? { functionCall: { name: 'hello__repeat', args: { text: 'a', count: 3 } } }
          : { text: 'done' },
      ),
    ]),
  }))
  const stream = await client(api).models.generateContentStream({
    model: 'gemini',
    contents: 'go on',
    config: { tools: [googleTool(bridge)] },
  })
  let text = ''
  for await (const chunk of stream) text += chunk.candidates?.[0]?.content?.parts?.[0]?.text ?? ''
  expect(text).toBe('done')
  expect(JSON.stringify(api.requests[1]?.body['contents'])).toContain('"output":"a a a"')
})

test('a prompt becomes contents', async () => {
  expect(googleContents(await bridge.prompts.get('gallery', 'describe'))).toMatchObject([
    { role: 'user', parts: [{ text: 'What is this?' }] },
    { role: 'user', parts: [{ inlineData: { mimeType: 'image/png' } }] },
    { role: 'model', parts: [{ text: 'A pixel.' }] },
  ])
})
