import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8Decoder } from '../src/bytes.ts'
import {
  EventStreamParser,
  newCursor,
  type ServerEvent,
  type StreamCursor,
} from '../src/transports/event-stream.ts'
import { cut, GENERATED_TIMEOUT_MS, inputs } from './generated.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('7', ' x', '  x', '世界', '\ufeff', '\0', ':', '250', '-1', '1e3', '٣'),
)
const field = fc
  .tuple(
    fc.constantFrom('data', 'event', 'id', 'retry', '', 'other', 'Data', ' data', '\ufeffdata'),
    fc.constantFrom(':', ': ', ''),
    text,
  )
  .map((parts) => Buffer.from(parts.join('')))
const lineEnd = fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\r', '\r\n\r\n').map((end) => Buffer.from(end))
const noise = fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes))
const mark = fc.constantFrom('', '\ufeff', '\ufeff\ufeff').map((each) => Buffer.from(each))
const stream = fc
  .tuple(mark, fc.array(fc.oneof(field, lineEnd, lineEnd, noise), { maxLength: 40 }))
  .map(([first, parts]) => Buffer.concat([first, ...parts]))

test(
  'event streams are read as the standard says, however the bytes are cut [H14]',
  () =>
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 20 }), (bytes, positions) => {
        expect(read(cut(bytes, positions))).toEqual(readPlainly(bytes))
      }),
      inputs(1_000),
    ),
  GENERATED_TIMEOUT_MS,
)

interface Reading {
  readonly events: ServerEvent[]
  readonly cursor: StreamCursor
}

function read(parts: readonly Uint8Array[]): Reading {
  const events: ServerEvent[] = []
  const cursor = newCursor()
  const parser = new EventStreamParser({
    cursor,
    decode: utf8Decoder(),
    maxBytes: 1_000_000,
    onEvent: (event) => events.push(event),
  })
  for (const part of parts) parser.push(part)
  return { events, cursor }
}

/** "Interpreting an event stream" of the WHATWG standard, step by step, on the whole text at once. */
function readPlainly(bytes: Buffer): Reading {
  const state: State = { events: [], cursor: newCursor(), data: '', type: '', id: undefined }
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/)
  // What follows the last line end is an unfinished line; an event without its blank line is discarded.
  for (const line of lines.slice(0, -1)) {
    if (line === '') dispatch(state)
    else if (!line.startsWith(':')) processField(state, ...fieldOf(line))
  }
  return { events: state.events, cursor: state.cursor }
}

interface State extends Reading {
  data: string
  type: string
  id: string | undefined
}

function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  if (colon === -1) return [line, '']
  const value = line.slice(colon + 1)
  return [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value]
}

function processField(state: State, name: string, value: string): void {
  if (name === 'event') state.type = value
  if (name === 'data') state.data += `${value}\n`
  if (name === 'id' && !value.includes('\0')) state.id = value
  if (name === 'retry' && /^[0-9]+$/.test(value)) state.cursor.retryMs = Number(value)
}

function dispatch(state: State): void {
  state.cursor.lastEventId = state.id
  const { data, type } = state
  state.data = ''
  state.type = ''
  if (data === '') return
  state.events.push({ type: type === '' ? 'message' : type, data: data.slice(0, -1) })
}
