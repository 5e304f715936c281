import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8Decoder } from '../src/bytes.ts'
import { EventStreamParser, type ServerEvent, type StreamCursor } from '../src/transports/event-stream.ts'

test.each([
  ['one event', 'data: a\n\n', [{ type: 'message', data: 'a' }]],
  ['lines of data are joined', 'data: a\ndata:b\ndata:  c\n\n', [{ type: 'message', data: 'a\nb\n c' }]],
  ['a named event', 'event: ping\ndata: x\n\n', [{ type: 'ping', data: 'x' }]],
  ['the name counts for one event', 'event: ping\n\ndata: x\n\n', [{ type: 'message', data: 'x' }]],
  ['comments are ignored', ': keep-alive\n\ndata: a\n:b\n\n', [{ type: 'message', data: 'a' }]],
  ['no data, no event', 'id: 1\n\n', []],
  ['empty data is an event', 'data\n\n', [{ type: 'message', data: '' }]],
  ['an unfinished event is dropped', 'data: a\n\ndata: b\n', [{ type: 'message', data: 'a' }]],
  [
    'carriage returns end lines',
    'data: a\r\rdata: b\r\n\r\n',
    ['a', 'b'].map((data) => ({ type: 'message', data })),
  ],
  ['a byte order mark is skipped once', '\ufeffdata: \ufeffa\n\n', [{ type: 'message', data: '\ufeffa' }]],
  ['unknown fields are ignored', 'colour: red\ndata: a\n\n', [{ type: 'message', data: 'a' }]],
])('%s', (_title, text, events) => {
  expect(read([Buffer.from(text)]).events).toEqual(events)
})

test('the id and the pause are kept, also from events without data', () => {
  expect(read([Buffer.from('id: 7\nretry: 250\ndata:\n\n')]).cursor).toEqual({
    lastEventId: '7',
    retryMs: 250,
  })
  expect(read([Buffer.from('id: 7\nretry: soon\n\nid: with\0nul\n\n')]).cursor).toMatchObject({
    lastEventId: '7',
  })
  expect(read([Buffer.from('id: 7\n\nid: 8\n')]).cursor.lastEventId).toBe('7')
  expect(read([Buffer.from('id: 7\n\nid\n\n')]).cursor.lastEventId).toBe('')
})

test('an event larger than the limit is refused', () => {
  const { parser } = reader(100)
  parser.push(Buffer.from(`data: ${'x'.repeat(80)}\n\n`))
  expect(() => parser.push(Buffer.from(`data: ${'x'.repeat(80)}\ndata: ${'x'.repeat(80)}\n`))).toThrow(
    '100 bytes',
  )
})

test('events are the same however the bytes are cut, and whatever ends the lines [H15]', () => {
  const field = fc.constantFrom('data', 'event', 'id', 'retry', '', 'other')
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('7', ' x', '世界', '\ufeff'),
  )
  const line = fc.tuple(field, fc.constantFrom(':', ': ', ''), value).map((parts) => parts.join(''))
  const ending = fc.constantFrom('\n', '\r\n', '\r')
  const lines = fc.array(fc.tuple(fc.oneof(line, fc.constant('')), ending), { maxLength: 30 })
  const cuts = fc.array(fc.nat(), { maxLength: 20 })
  fc.assert(
    fc.property(fc.boolean(), lines, cuts, (hasMark, pairs, positions) => {
      const clean = pairs.map(([text, end]) => [text.replace(/[\r\n]/g, ''), end] as const)
      const bytes = Buffer.from((hasMark ? '\ufeff' : '') + clean.map((pair) => pair.join('')).join(''))
      const { events, cursor } = read(cut(bytes, positions))
      expect({ events, cursor }).toEqual(readPlainly(bytes.toString()))
    }),
    { numRuns: 1_000 },
  )
})

/** The standard's algorithm on the whole text at once, as slow and as plain as possible. */
function readPlainly(text: string): { events: ServerEvent[]; cursor: StreamCursor } {
  const events: ServerEvent[] = []
  const cursor: StreamCursor = { lastEventId: undefined, retryMs: undefined }
  let data = ''
  let type = ''
  let id: string | undefined
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  for (const line of lines.slice(0, -1)) {
    if (line === '') {
      cursor.lastEventId = id
      if (data !== '') events.push({ type: type || 'message', data: data.replace(/\n$/, '') })
      data = ''
      type = ''
    }
    const [, name, value] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? []
    if (name === 'data') data += `${value ?? ''}\n`
    if (name === 'event') type = value ?? ''
    if (name === 'id' && !value?.includes('\0')) id = value ?? ''
    if (name === 'retry' && /^\d+$/.test(value ?? '')) cursor.retryMs = Number(value)
  }
  return { events, cursor }
}

function read(chunks: readonly Uint8Array[]): { events: ServerEvent[]; cursor: StreamCursor } {
  const { parser, events, cursor } = reader(1_000_000)
  for (const chunk of chunks) parser.push(chunk)
  return { events, cursor }
}

function reader(maxBytes: number): {
  parser: EventStreamParser
  events: ServerEvent[]
  cursor: StreamCursor
} {
  const events: ServerEvent[] = []
  const cursor: StreamCursor = { lastEventId: undefined, retryMs: undefined }
  return {
    parser: new EventStreamParser({
      cursor,
      decode: utf8Decoder(),
      maxBytes,
      onEvent: (event) => events.push(event),
    }),
    events,
    cursor,
  }
}

function cut(bytes: Buffer, positions: readonly number[]): Buffer[] {
  const ends = [...new Set(positions.map((position) => position % (bytes.length + 1)))].toSorted(
    (a, b) => a - b,
  )
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}
