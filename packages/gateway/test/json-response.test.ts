import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { JsonResponse } from '../src/http/json-response.ts'
import { listen } from '../src/http/listen.ts'

const value = { text: 'Grüße, 世界', nested: [1, null] }

test('a document is sent with its length in bytes and the headers that were added to it', async () => {
  const app = new Hono()
  app.use(async (context, next) => {
    await next()
    context.res.headers.set('x-added', 'later')
  })
  app.get('/', () => new JsonResponse(value, { 'x-own': 'first' }))
  const listening = await listen({ hostname: '127.0.0.1', port: 0, allowedHostHeaders: [] })
  listening.serve(app)
  const response = await fetch(listening.url)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(JSON.stringify(value))),
    'x-own': 'first',
    'x-added': 'later',
  })
  expect(await response.json()).toEqual(value)
  await listening.close()
})

test('a document is read like the body of any response', async () => {
  const text = JSON.stringify(value)
  const response = new JsonResponse(value)
  expect(response.bodyUsed).toBe(false)
  expect(await response.clone().text()).toBe(text)
  expect(await response.json()).toEqual(value)
  expect(response.bodyUsed).toBe(true)
  await expect(response.text()).rejects.toThrow(TypeError)
  expect(Buffer.from(await new JsonResponse(value).arrayBuffer()).toString()).toBe(text)
  expect(Buffer.from(await new JsonResponse(value).bytes()).toString()).toBe(text)
  expect(await (await new JsonResponse(value).blob()).text()).toBe(text)
  // How a middleware copies a response to change it.
  expect(await new Response(new JsonResponse(value).body).json()).toEqual(value)
})
