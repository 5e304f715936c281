import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { ModelError, openModel, runAgent } from '@toolbridge/agent'
import { canary } from '@toolbridge/testkit/secrets'
import { type ModelTurn, scriptedModel } from '@toolbridge/testkit/models'
import { describe, expect, test } from 'vitest'
import { calling, said, world } from './world.ts'

const conversation = 'The launch code is Heliotrope.'

/** The error of a run, without the key of the model and without the conversation. */
async function failureOf(run: Promise<unknown>): Promise<ModelError> {
  const error: unknown = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ModelError)
  const everything = inspect(error, { depth: 20, showHidden: true })
  expect(everything).not.toContain('Heliotrope')
  expect(everything).not.toContain(canary('model-key'))
  return error as ModelError
}

/** What providers send after the headers of a stream, when it is too late for another status. */
const lateErrors = {
  openai: `data: ${JSON.stringify({ type: 'error', sequence_number: 0, code: 'overloaded', message: 'Overloaded', param: null })}\n\n`,
  anthropic: `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })}\n\n`,
  compatible: `data: ${JSON.stringify({ error: { message: 'Overloaded', type: 'server_error' } })}\n\n`,
}

describe.each(['openai', 'anthropic', 'google', 'compatible'] as const)('%s', (shape) => {
  const key = canary('model-key')
  const failures: readonly (readonly [string, ModelTurn, RegExp, number])[] = [
    ['a wrong key', { status: 401, message: `Incorrect key: ${key}` }, /answered 401: .*Check the key/, 1],
    [
      'an unknown model',
      { status: 404, message: 'no such model' },
      /answered 404: no such model\. Check the name of the model and the base URL$/,
      1,
    ],
    [
      'too many requests',
      { status: 429, message: 'slow down' },
      /answered 429: slow down\. Wait, or check the quota of the key$/,
      3,
    ],
    ['a broken provider', { status: 500, message: 'oops' }, /answered 500: oops\. Try again later$/, 3],
    ['an endless message', { status: 400, message: 'long '.repeat(10_000) }, /^.{1,600}$/s, 1],
    ['no events', { garbage: `<html>${conversation}</html>` }, /cannot be read/, 1],
    ['events that are not JSON', { garbage: `data: {"${conversation}\n\n` }, /cannot be read/, 1],
    ['events of another API', { garbage: `data: {"said":"${conversation}"}\n\n` }, /./, 1],
    ['a lost connection', { text: 'Let me see', cut: true }, /the connection was lost/, 1],
  ]

  test.each(failures)('%s is a ModelError', async (_what, turn, message, requests) => {
    await using w = await world(() => turn, { shape })
    const { code, message: text, cause } = await failureOf(w.run({ messages: [said(conversation)] }))
    expect(code).toBe('failed')
    expect(text).toMatch(message)
    expect(text.startsWith(`${shape}/scripted: `)).toBe(true)
    expect(cause).toBeUndefined()
    expect(w.scripted.requests).toHaveLength(requests)
  })

  test('a provider that recovers is asked again', async () => {
    await using w = await world(
      [{ status: 500 }, calling('hello__hello'), { status: 429 }, { text: 'Done.' }],
      {
        shape,
      },
    )
    expect(await w.run()).toMatchObject({ text: 'Done.', steps: 2 })
  })

  test('a failure after a call is a ModelError', async () => {
    await using w = await world([calling('hello__hello'), { text: 'Let', cut: true }], { shape })
    await failureOf(w.run({ messages: [said(conversation)] }))
    expect(w.scripted.requests).toHaveLength(2)
  })

  test('a redirect is not followed, so the key goes nowhere else', async () => {
    await using elsewhere = await scriptedModel({ shape, turns: [{ text: 'Thank you.' }] })
    const headers = { location: `${elsewhere.baseUrl}/` }
    await using w = await world([{ status: 307, headers }], { shape })
    const { message } = await failureOf(w.run())
    expect(message).toContain('307')
    expect(message).toContain('base URL')
    expect(elsewhere.requests).toEqual([])
    expect(w.scripted.requests).toHaveLength(1)
  })

  test('a provider that cannot be reached is a ModelError', async () => {
    const env = { ...(await scriptedEnv(shape)) }
    const model = await openModel(`${shape}/scripted`, {
      env,
      baseUrl: `http://127.0.0.1:${await closedPort()}/v1`,
    })
    const { message } = await failureOf(runAgent({ model, messages: [said(conversation)], maxRetries: 0 }))
    expect(message).toMatch(/: no answer: connect ECONNREFUSED .*\. Check the network and the base URL$/)
  })
})

test.each(Object.entries(lateErrors))('%s: an error in the stream is told', async (shape, garbage) => {
  await using w = await world(() => ({ garbage }), { shape: shape as keyof typeof lateErrors })
  // Providers may repeat such a request, after seconds.
  expect((await failureOf(w.run({ maxRetries: 0 }))).message).toContain('Overloaded')
})

async function scriptedEnv(shape: 'openai' | 'anthropic' | 'google' | 'compatible'): Promise<object> {
  await using scripted = await scriptedModel({ shape, turns: [] })
  return scripted.env
}

/** A port at which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  return port
}
