import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  EventStreamParser,
  newCursor,
  type ServerEvent,
  type StreamCursor,
} from '../../../src/transports/messages/event-stream-parser.ts'
import { cut, GENERATED_TIMEOUT_MS, inputs } from '../../support/generated.ts'
import { anyCharacter } from '../../support/any-character.ts'

const text = fc.oneof(
  fc.integer({ min: 100, max: 500 }).map((length) => '世'.padEnd(length, 'x')),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
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
/** What is kept of an event that is too long, at each end. */
const KEPT_BYTES = 256

const limit = fc.constantFrom(300, 1_000_000)
const stream = fc
  .tuple(mark, fc.array(fc.oneof(field, lineEnd, lineEnd, noise), { maxLength: 40 }))
  .map(([first, parts]) => Buffer.concat([first, ...parts]))

test(
  'event streams are read as the standard says, however the bytes are cut, and only events over the limit are skipped [S4-52] [H14]',
  () =>
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 20 }), limit, (bytes, positions, maxBytes) => {
        expect(read(cut(bytes, positions), maxBytes)).toEqual(readPlainly(bytes, maxBytes))
      }),
      inputs(300),
    ),
  GENERATED_TIMEOUT_MS,
)

interface Reading {
  readonly events: ServerEvent[]
  readonly cursor: StreamCursor
  skipped: number
}

function read(parts: readonly Uint8Array[], maxBytes: number): Reading {
  const reading: Reading = { events: [], cursor: newCursor(), skipped: 0 }
  const parser = new EventStreamParser({
    cursor: reading.cursor,
    maxBytes,
    onEvent: (event) => reading.events.push(event),
    onOversized: () => reading.skipped++,
  })
  for (const part of parts) parser.push(part)
  return reading
}

/**
 * "Interpreting an event stream" of the WHATWG standard, step by step, on the whole of it at once. Beside the standard:
 * an event over the limit is skipped, and of its lines those that are longer than what is kept count as data.
 */
function readPlainly(bytes: Buffer, maxBytes: number): Reading {
  const state: State = {
    events: [],
    cursor: newCursor(),
    skipped: 0,
    data: '',
    type: '',
    id: undefined,
    size: 0,
  }
  // One character for each byte, so that lines can be told apart before they are decoded.
  const lines = bytes.toString('latin1').split(/\r\n|\r|\n/)
  // What follows the last line end is an unfinished line; an event without its blank line is discarded.
  for (const [index, line] of lines.slice(0, -1).entries()) {
    state.size += line.length
    const decoder = new TextDecoder('utf-8', { ignoreBOM: index > 0 })
    const decoded = decoder.decode(Buffer.from(line, 'latin1'))
    if (decoded === '') dispatch(state, maxBytes)
    else if (state.size <= maxBytes || line.length <= KEPT_BYTES) processLine(state, decoded)
  }
  const { events, cursor, skipped } = state
  return { events, cursor, skipped }
}

interface State extends Reading {
  data: string
  type: string
  id: string | undefined
  size: number
}

function processLine(state: State, line: string): void {
  const colon = line.indexOf(':')
  if (colon === 0) return
  if (colon === -1) return processField(state, line, '')
  const value = line.slice(colon + 1)
  processField(state, line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value)
}

function processField(state: State, name: string, value: string): void {
  if (name === 'event') state.type = value
  if (name === 'data') state.data += `${value}\n`
  if (name === 'id' && !value.includes('\0')) state.id = value
  if (name === 'retry' && /^[0-9]+$/.test(value)) state.cursor.retryMs = Number(value)
}

function dispatch(state: State, maxBytes: number): void {
  state.cursor.lastEventId = state.id
  const { data, type, size } = state
  Object.assign(state, { data: '', type: '', size: 0 })
  if (size > maxBytes) state.skipped++
  else if (data !== '') state.events.push({ type: type === '' ? 'message' : type, data: data.slice(0, -1) })
}
