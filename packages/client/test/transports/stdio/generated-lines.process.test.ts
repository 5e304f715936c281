import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StdioTransport } from '../../../src/stdio.ts'
import { LineReader, type OversizedLine } from '../../../src/transports/stdio/line-reader.ts'
import { cut, GENERATED_TIMEOUT_MS, inputs } from '../../support/generated.ts'
import { anyCharacter } from '../../support/any-character.ts'

const cuts = fc.array(fc.nat(), { maxLength: 12 })

/** Bytes as a broken server may write them: noise, control characters, halves of characters, empty lines. */
const noise = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 200, max: 700 }).map((length) => Buffer.alloc(length, '世')),
  fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => Buffer.from(text)),
  fc
    .constantFrom('\n', '\r\n', '\0', '\ufeff', '\u2028', '[', '{}', 'null', '"', '{"jsonrpc":"2.0"')
    .map((text) => Buffer.from(text)),
)

/** Lines that are JSON, none of which answers a request. */
const message = fc
  .oneof(
    fc
      .jsonValue({ maxDepth: 1 })
      .map((params) => ({ jsonrpc: '2.0', method: 'notifications/message', params })),
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.integer({ min: 1_000_000_000 }),
      result: fc.jsonValue({ maxDepth: 1 }),
    }),
    fc.jsonValue({ maxDepth: 1 }).filter((value) => typeof value !== 'object'),
  )
  .map((value) => Buffer.from(`\n${JSON.stringify(value)}\n`))

const bytes = fc.array(fc.oneof(noise, message), { maxLength: 12 }).map((parts) => Buffer.concat(parts))

test(
  'lines are found in any bytes, however those are cut, and a line over the limit is skipped to its end [S4-31] [S4-33] [T1]',
  () =>
    fc.assert(
      fc.property(bytes, cuts, fc.constantFrom(300, 10_000), (stream, positions, maxBytes) => {
        expect(read(cut(stream, positions), maxBytes)).toEqual(readPlainly(stream, maxBytes))
      }),
      inputs(300),
    ),
  GENERATED_TIMEOUT_MS,
)

let transport: StdioTransport

beforeAll(async () => {
  transport = new StdioTransport({ command: process.execPath, args: ['-e', noisyServer] })
  transport.setHandlers({})
  await transport.start()
})

afterAll(() => transport.close())

test(
  'whatever a server writes between its answers, each call gets its own [S4-34] [S4-35] [T1]',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(bytes, cuts), { minLength: 1, maxLength: 4 }), async (calls) => {
        const answers = calls.map(([stream, positions], index) =>
          transport.request('write', {
            index,
            parts: cut(stream, positions).map((part) => part.toString('base64')),
          }),
        )
        expect(await Promise.all(answers)).toEqual(calls.map((_call, index) => ({ index })))
      }),
      inputs(100),
    ),
  GENERATED_TIMEOUT_MS,
)

/** Writes what it is told to, part by part, then its answer on a line of its own. */
const noisyServer = `
const lines = require('node:readline').createInterface({ input: process.stdin })
const written = (part) => new Promise((resolve) => process.stdout.write(part, resolve))
void (async () => {
  for await (const line of lines) {
    const { id, method, params } = JSON.parse(line)
    if (method !== 'write') continue
    for (const part of params.parts) await written(Buffer.from(part, 'base64'))
    await written('\\n' + JSON.stringify({ jsonrpc: '2.0', id, result: { index: params.index } }) + '\\n')
  }
})()`

interface Lines {
  readonly lines: string[]
  readonly oversized: OversizedLine[]
}

function read(parts: readonly Buffer[], maxBytes: number): Lines {
  const lines: string[] = []
  const oversized: OversizedLine[] = []
  const reader = new LineReader({
    maxBytes,
    onLine: (line) => lines.push(line),
    onOversized: (line) => oversized.push(line),
  })
  for (const part of parts) reader.push(part)
  return { lines, oversized }
}

/** All of it at once, as slow and as plain as possible. What follows the last line end is no line yet. */
function readPlainly(stream: Buffer, maxBytes: number): Lines {
  const all: Buffer[] = [Buffer.alloc(0)]
  for (const byte of stream) {
    if (byte === 10) all.push(Buffer.alloc(0))
    else all.push(Buffer.concat([all.pop() ?? Buffer.alloc(0), Buffer.of(byte)]))
  }
  const whole = all.slice(0, -1).filter((line) => line.length > 0)
  const long = whole.filter((line) => line.length > maxBytes)
  return {
    lines: whole.filter((line) => line.length <= maxBytes).map(String),
    oversized: long.map((line) => ({
      head: String(line.subarray(0, 256)),
      tail: String(line.subarray(-256)),
    })),
  }
}
