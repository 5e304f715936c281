import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { streamUntil } from '../src/http/stream-until.ts'

/** An event stream with one frame that then stays open, and why it was cancelled. */
function openStream(): { readonly response: Response; readonly cancelled: Promise<unknown> } {
  let cancel: (reason: unknown) => void
  const cancelled = new Promise<unknown>((resolve) => {
    cancel = resolve
  })
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
    cancel: (reason) => cancel(reason),
  })
  return { response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }), cancelled }
}

test('an event stream ends cleanly when the signal is aborted, and its source is cancelled', async () => {
  const revoked = new AbortController()
  const { response, cancelled } = openStream()
  const text = streamUntil(revoked.signal, response).text()
  revoked.abort('revoked')
  expect(await cancelled).toBe('revoked')
  expect(['', 'data: 1\n\n']).toContain(await text)
})

test('an event stream ends at once if the signal was aborted before', async () => {
  const { response, cancelled } = openStream()
  expect(await streamUntil(AbortSignal.abort('revoked'), response).text()).toBe('')
  expect(await cancelled).toBe('revoked')
})

test('a reader that disconnects leaves nothing behind', async () => {
  const { signal } = new AbortController()
  const { response, cancelled } = openStream()
  const reader = streamUntil(signal, response).body?.getReader()
  await reader?.read()
  await reader?.cancel('gone')
  expect(await cancelled).toBe('gone')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a stream that ends by itself leaves nothing behind, and other responses are not touched', async () => {
  const { signal } = new AbortController()
  const headers = { 'content-type': 'text/event-stream', 'mcp-session-id': 's' }
  const ended = streamUntil(signal, new Response('data: 1\n\n', { status: 202, headers }))
  expect([ended.status, ended.headers.get('mcp-session-id'), await ended.text()]).toEqual([
    202,
    's',
    'data: 1\n\n',
  ])
  expect(getEventListeners(signal, 'abort')).toEqual([])
  const plain = Response.json({})
  expect(streamUntil(signal, plain)).toBe(plain)
})
