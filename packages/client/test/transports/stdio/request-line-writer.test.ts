import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withMeta } from '../../../src/jsonrpc/request-meta.ts'
import type { RequestOptions } from '../../../src/jsonrpc/transport.ts'
import { RequestLineWriter } from '../../../src/transports/stdio/request-line-writer.ts'

const ids = fc.oneof(fc.nat(), fc.string())
const methods = fc.oneof(fc.constantFrom('tools/call', 'tools/list'), fc.string())
/** What `JSON.stringify` leaves out or writes in another way. */
const oddlyWritten = [undefined, new Date(0), { toJSON: () => undefined }, () => {}, [1], 'text']
const params = fc.option(
  fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.record({ name: fc.string(), arguments: fc.dictionary(fc.string(), fc.jsonValue()) }),
    fc.record({ name: fc.string(), arguments: fc.oneof(fc.jsonValue(), fc.constantFrom(...oddlyWritten)) }),
    fc.record({ name: fc.string(), other: fc.jsonValue() }),
    fc.constant(
      new (class {
        name = 'echo'
        arguments = {}
        toJSON() {
          return { name: 'other' }
        }
      })(),
    ),
    fc.record({ _meta: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()) }),
    fc.array(fc.jsonValue()),
  ),
  { nil: undefined },
)
const options: fc.Arbitrary<RequestOptions> = fc.record(
  { onProgress: fc.constant(() => {}), trace: fc.record({ traceparent: fc.string() }) },
  { requiredKeys: [] },
)

test('a request written by hand reads like the message it stands for [S4-42]', () => {
  const lines = new RequestLineWriter()
  fc.assert(
    fc.property(ids, methods, params, options, (id, method, given, wanted) => {
      const message = { jsonrpc: '2.0', id, method, params: withMeta(given, wanted, id) }
      const text = lines.write(id, method, given, wanted)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(message)))
      expect(text.indexOf('\n')).toBe(text.length - 1)
    }),
  )
})
