import { describe, expect, test } from 'vitest'
import { calling, shapes, world } from './world.ts'

const reasons: readonly (readonly [string, unknown])[] = [
  ['an error', new Error('enough')],
  ['an AbortError', new DOMException('This operation was aborted', 'AbortError')],
  ['a text', 'enough'],
]

const aborted = shapes.flatMap((shape) => reasons.map((reason) => [shape, ...reason] as const))

describe.each(aborted)('%s: aborting with %s', (shape, _what, reason) => {
  test('while the model writes ends the request, and the run rejects with the reason', async () => {
    await using w = await world([{ text: 'Let me see', hang: true }], { shape })
    const abort = new AbortController()
    const run = w.run({
      signal: abort.signal,
      onEvent: ({ type }) => {
        if (type === 'text') abort.abort(reason)
      },
    })
    expect(await run.catch((error: unknown) => error)).toBe(reason)
    await expect.poll(() => w.scripted.cancelled).toBe(1)
  })

  test('during a call cancels it at the server, and the run rejects with the reason', async () => {
    await using w = await world([calling('library__wait'), { text: 'Done.' }], { shape })
    const abort = new AbortController()
    const run = w.run({ signal: abort.signal }).catch((error: unknown) => error)
    await expect.poll(() => w.library.waiting).toHaveLength(1)
    abort.abort(reason)
    expect(await run).toBe(reason)
    await expect.poll(() => w.library.cancelled).toEqual(w.library.waiting)
    expect(w.scripted.requests).toHaveLength(1)
  })

  test('before the run sends nothing', async () => {
    await using w = await world([])
    expect(await w.run({ signal: AbortSignal.abort(reason) }).catch((error: unknown) => error)).toBe(reason)
    expect(w.scripted.requests).toEqual([])
  })

  test('while a request waits to be repeated ends the run at once', async () => {
    const headers = { 'retry-after-ms': '50000' }
    await using w = await world(() => ({ status: 429, headers }))
    const abort = new AbortController()
    const run = w.run({ signal: abort.signal }).catch((error: unknown) => error)
    await expect.poll(() => w.scripted.requests).toHaveLength(1)
    abort.abort(reason)
    expect(await run).toBe(reason)
    expect(w.scripted.requests).toHaveLength(1)
  })
})

test('a question is withdrawn when the run is aborted', async () => {
  await using w = await world([calling('elicit__greet_me')])
  const abort = new AbortController()
  let asked: AbortSignal | undefined
  const run = w.run({
    signal: abort.signal,
    answerer: {
      ask: (_question, { signal }) => {
        asked = signal
        abort.abort(new Error('enough'))
        return new Promise(() => {})
      },
    },
  })
  await expect(run).rejects.toThrow('enough')
  await expect.poll(() => asked?.aborted).toBe(true)
})

test('a listener that throws ends the run and its calls', async () => {
  await using w = await world([{ calls: [{ tool: 'library__wait' }, { tool: 'hello__hello' }] }])
  const run = w.run({
    onEvent: ({ type }) => {
      if (type === 'tool.finished') throw new Error('the screen is gone')
    },
  })
  await expect(run).rejects.toThrow('the screen is gone')
  expect(w.library.waiting).toHaveLength(1)
  await expect.poll(() => w.library.cancelled).toEqual(w.library.waiting)
})
