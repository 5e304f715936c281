import { expect, test } from 'vitest'
import {
  EventStreamParser,
  type OversizedEvent,
  type ServerEvent,
  type StreamCursor,
} from '../../../src/transports/messages/event-stream-parser.ts'

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

test('an event larger than the limit is skipped to its end, with what tells whose it was', () => {
  const long = `{"result":"${'x'.repeat(900)}","jsonrpc":"2.0","id":7}`
  const text = `data: a\n\nid: 5\nretry: 10\ndata: ${long}\nid: 6\n\ndata: b\n\n`
  for (const size of [1, 7, 300, text.length]) {
    const { parser, events, oversized, cursor } = reader(400)
    for (let start = 0; start < text.length; start += size)
      parser.push(Buffer.from(text.slice(start, start + size)))
    expect(events.map(({ data }) => data)).toEqual(['a', 'b'])
    expect(oversized).toEqual([{ head: long.slice(0, oversized[0]?.head.length), tail: long.slice(-256) }])
    expect(oversized[0]?.head.length).toBeGreaterThan(200)
    expect(cursor).toEqual({ lastEventId: '6', retryMs: 10 })
  }
})

test('an event of many short lines is held to the limit too', () => {
  const { parser, events, oversized } = reader(400)
  parser.push(Buffer.from(`${'data: {"id":3,"result":\n'.repeat(100)}data: the end\n\ndata: b\n\n`))
  expect(events.map(({ data }) => data)).toEqual(['b'])
  expect(oversized).toEqual([{ head: '{"id":3,"result":', tail: 'the end' }])
})

function read(chunks: readonly Uint8Array[]): { events: ServerEvent[]; cursor: StreamCursor } {
  const { parser, events, cursor } = reader(1_000_000)
  for (const chunk of chunks) parser.push(chunk)
  return { events, cursor }
}

function reader(maxBytes: number): {
  parser: EventStreamParser
  events: ServerEvent[]
  oversized: OversizedEvent[]
  cursor: StreamCursor
} {
  const events: ServerEvent[] = []
  const oversized: OversizedEvent[] = []
  const cursor: StreamCursor = { lastEventId: undefined, retryMs: undefined }
  return {
    parser: new EventStreamParser({
      cursor,
      maxBytes,
      onEvent: (event) => events.push(event),
      onOversized: (event) => oversized.push(event),
    }),
    events,
    oversized,
    cursor,
  }
}
