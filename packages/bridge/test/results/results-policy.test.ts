import { createHash } from 'node:crypto'
import { type Bridge, openBridge, toText } from '@toolbridge/bridge'
import { aiSdkTools } from '@toolbridge/bridge/ai-sdk'
import type { CallToolResult } from '@toolbridge/client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resultParts, textBy } from '@toolbridge/client/internal'
import { defaultResultPolicy, resultPolicy } from '../../src/results/result-policy.ts'
import { ResultStore } from '../../src/results/result-store.ts'
import { createSchemaChecks } from '../../src/catalog/schema/schema-checks.ts'
import { withinSize } from '../../src/results/within-size.ts'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

const picture = { type: 'image', data: 'aW1n', mimeType: 'image/png' } as const
const text = { type: 'text', text: 'one' } as const

test('texts are joined by lines or by nothing, and unknown blocks are shown or dropped', () => {
  const result: unknown = { content: [text, { type: 'hologram' }, text] }
  const hologram = result as CallToolResult
  expect(toText(hologram)).toBe('one\n{"type":"hologram"}\none')
  expect(textBy(resultPolicy({ text: 'concat', unknown: 'drop' }), hologram)).toBe('oneone')
})

test('media are parts, JSON or a word in their place [S3-40]', () => {
  const result = { content: [text, picture] }
  expect(resultParts(result)).toEqual([
    text,
    { type: 'media', kind: 'image', data: 'aW1n', mimeType: 'image/png' },
  ])
  expect(resultParts(result, resultPolicy({ media: 'json' }))).toEqual([
    { type: 'text', text: `one\n${JSON.stringify(picture)}` },
  ])
  expect(textBy(resultPolicy({ media: 'placeholder' }), result)).toBe('one\n[image image/png]')
})

test('every block that is not text is kept as JSON where media are [S3-40]', () => {
  const link = { type: 'resource_link', uri: 'file:///a', name: 'a' } as const
  const inside = { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } } as const
  const file = { type: 'resource', resource: { uri: 'file:///c', blob: 'YQ==' } } as const
  const result = { content: [text, link, inside, file] }
  const shown = ['one', ...[link, inside, file].map((block) => JSON.stringify(block))].join('\n')
  expect(textBy(resultPolicy({ media: 'json' }), result)).toBe(shown)
  expect(resultParts(result, resultPolicy({ media: 'json' }))).toEqual([{ type: 'text', text: shown }])
  expect(toText(result)).toBe('one\n[resource file:///a]\ninside\n[resource file:///c]')
})

test('structured content is read where there is nothing else, or always', () => {
  const result = { content: [text], structuredContent: { a: 1 } }
  expect(toText(result)).toBe('one')
  expect(textBy(resultPolicy({ structured: 'always' }), result)).toBe('one\n{"a":1}')
})

async function withGallery<T>(
  results: Parameters<typeof resultPolicy>[0],
  work: (bridge: Bridge) => Promise<T>,
): Promise<T> {
  await using bridge = await openBridge({
    ...permissive([inMemory('gallery')]),
    ...(results && { results }),
  })
  return await work(bridge)
}

test('a result that is not what its tool promised is an error under validate, and passes otherwise [S4-86]', async () => {
  const wrong = { content: [], structuredContent: { value: 'x' } }
  await withGallery({}, async (bridge) => {
    expect(await bridge.call('gallery__structured', { value: 'x' })).toMatchObject(wrong)
  })
  await withGallery({ structured: 'validate' }, async (bridge) => {
    expect(await bridge.call('gallery__structured', { value: 5 })).toMatchObject({
      structuredContent: { value: 5 },
    })
    const refused = await bridge.call('gallery__structured', { value: 'x' })
    expect(refused.isError).toBe(true)
    expect(toText(refused)).toBe(
      'the result of gallery__structured is not what it promised: /value must be number',
    )
  })
})

test('a lost server is a result with an error where the policy says so [D32]', async () => {
  await withGallery({ protocolError: 'result' }, async (bridge) => {
    expect(await bridge.call('gallery__long', { characters: -10 })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^MCP tool failed: /) }],
    })
    await expect(bridge.call('nothing', {})).rejects.toThrow('there is no tool')
  })
})

test('the results of each server are read as its definition says, unless one way is chosen for all', async () => {
  const policy = {
    'result.media': 'json',
    'result.protocolError': 'result',
    'result.structured': 'validate',
  } as const
  const servers = [{ ...inMemory('gallery'), name: 'own', policy }, inMemory('gallery')]
  await using bridge = await openBridge(permissive(servers))
  const shown = async (name: string): Promise<unknown> =>
    aiSdkTools(bridge)[name]?.toModelOutput?.({ toolCallId: '1', input: {}, output: await bridge.call(name) })
  expect(await shown('own__picture')).toMatchObject({
    type: 'text',
    value: expect.stringMatching(/^look\n\{/),
  })
  expect(await shown('gallery__picture')).toMatchObject({ type: 'content' })
  expect(await bridge.call('own__structured', { value: 'x' })).toMatchObject({ isError: true })
  expect(await bridge.call('own__long', { characters: -10 })).toMatchObject({ isError: true })
  await expect(bridge.call('gallery__long', { characters: -10 })).rejects.toThrow()
  await using same = await openBridge({ ...permissive(servers), results: { protocolError: 'throw' } })
  await expect(same.call('own__long', { characters: -10 })).rejects.toThrow()
})

test('metadata of MCP Apps reach the caller, on the tool and on the result, also of a long one', async () => {
  await withGallery({ maxCharacters: 500 }, async (bridge) => {
    expect(bridge.tool('gallery__page')?.definition._meta).toMatchObject({ ui: { resourceUri: 'ui://page' } })
    expect((await bridge.call('gallery__page'))._meta).toMatchObject({ ui: { resourceUri: 'ui://page' } })
  })
})

test('a result over the limit is an excerpt with a digest and an address, under which the rest is read [C22]', async () => {
  await withGallery({ maxCharacters: 1_000 }, async (bridge) => {
    const result = await bridge.call('gallery__long', { characters: 30_000 })
    const [excerpt, link] = result.content
    const whole = '0123456789'.repeat(3_000)
    const digest = createHash('sha256').update(whole).digest('hex')
    if (excerpt?.type !== 'text' || link?.type !== 'resource_link') throw new Error('no excerpt')
    expect(excerpt.text.length).toBeLessThanOrEqual(1_000)
    expect(excerpt.text).toMatch(/^0123456789/)
    expect(excerpt.text).toMatch(/0123456789$/)
    expect(excerpt.text).toContain(digest)
    expect(excerpt.text).toContain(link.uri)
    let read = ''
    for (let from: number | undefined = 0; from !== undefined; ) {
      const part = bridge.results.read(link.uri, { from, length: 7_001 })
      expect(part).toMatchObject({ totalCharacters: 30_000, digest, from })
      read += part.text
      from = part.next
    }
    expect(read).toBe(whole)
    const stranger = { principal: 'somebody else', conversation: 'main' }
    expect(() => bridge.results.read(link.uri, { origin: stranger })).toThrow(/there is no result/)
    expect(() => bridge.results.read('result://gone')).toThrow(/call the tool again/)
  })
})

test('ranges never cut a character, and together they are the whole', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'é', '読', '😀', '𝒳'), minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      (whole, length) => {
        const store = new ResultStore(1_000)
        const kept = store.keep(whole, 'text/plain', 'p')
        let [read, from]: [string, number | undefined] = ['', 0]
        while (from !== undefined) {
          const part = store.read(kept?.uri ?? '', { from, length }, 'p')
          expect(/\p{Surrogate}/u.test(part.text)).toBe(false)
          read += part.text
          from = part.next
        }
        expect(read).toBe(whole)
      },
    ),
  )
})

test('an excerpt never cuts a character and keeps within its limit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 500, max: 560 }),
      fc.integer({ min: 300, max: 700 }),
      (maxCharacters, count) => {
        const content = [{ type: 'text', text: `x${'😀'.repeat(count)}` } as const, picture]
        const sized = withinSize(
          { content },
          {
            policy: resultPolicy({ maxCharacters }),
            store: new ResultStore(10_000),
            tool: 't',
            principal: 'p',
          },
        )
        const [first] = sized.content
        const shown = first?.type === 'text' ? first.text : ''
        expect(/\p{Surrogate}/u.test(shown)).toBe(false)
        expect(shown.length).toBeLessThanOrEqual(Math.max(maxCharacters, 1))
        expect(sized.content).toContainEqual(picture)
      },
    ),
  )
})

test('large media and large structured content are kept apart, and an error stays an error', () => {
  const store = new ResultStore(1_000_000)
  const options = {
    policy: resultPolicy({ maxCharacters: 500, maxMediaCharacters: 10 }),
    store,
    tool: 't',
    principal: 'p',
  }
  const big = { ...picture, data: 'A'.repeat(100) }
  const sized = withinSize(
    { content: [text, big], structuredContent: { list: 'x'.repeat(600) }, isError: true, _meta: { a: 1 } },
    options,
  )
  expect(sized).toMatchObject({ isError: true, _meta: { a: 1 } })
  expect(sized.structuredContent).toBeUndefined()
  const links = sized.content.flatMap((block) => (block.type === 'resource_link' ? [block] : []))
  expect(new Set(links.map(({ mimeType }) => mimeType))).toEqual(new Set(['application/json', 'image/png']))
  const image = links.find(({ mimeType }) => mimeType === 'image/png')
  expect(store.read(image?.uri ?? '', {}, 'p')).toMatchObject({ text: big.data, mimeType: 'image/png' })
})

test('what is kept is bounded: the least recently read makes room, and what is larger than all is not kept', () => {
  const store = new ResultStore(100)
  const [first, second] = [
    store.keep('a'.repeat(40), 'text/plain', 'p'),
    store.keep('b'.repeat(40), 'text/plain', 'p'),
  ]
  store.read(first?.uri ?? '', {}, 'p')
  store.keep('c'.repeat(40), 'text/plain', 'p')
  expect(store.read(first?.uri ?? '', {}, 'p').text).toHaveLength(40)
  expect(() => store.read(second?.uri ?? '', {}, 'p')).toThrow(/there is no result/)
  expect(store.keep('d'.repeat(101), 'text/plain', 'p')).toBeUndefined()
})

test('limits without room for an excerpt are refused', () => {
  expect(() => resultPolicy({ maxCharacters: 100 })).toThrow(RangeError)
  expect(defaultResultPolicy.maxCharacters).toBe(Number.POSITIVE_INFINITY)
})

test('a schema that refers to another document, or is no schema, is not used', () => {
  const checks = createSchemaChecks()
  expect(checks.problems({ $ref: 'https://example.com/x.json' }, {})).toBeUndefined()
  expect(checks.problems({ type: 'object', properties: 5 }, {})).toBeUndefined()
  expect(checks.problems({ type: 'number' }, 5)).toEqual([])
})
