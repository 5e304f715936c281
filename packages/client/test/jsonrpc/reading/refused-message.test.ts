import { expect, test } from 'vitest'
import { BaseJsonRpcTransport } from '../../../src/jsonrpc/base-transport.ts'
import type { JsonRpcMessage } from '../../../src/jsonrpc/jsonrpc.ts'
import { refusedMessage } from '../../../src/jsonrpc/reading/refused-message.ts'

const twice = '{"a":1,"a":2}'

test.each<[string, string | number, string]>([
  ['first', 7, `{"jsonrpc":"2.0","id":7,"method":"x","params":{"arguments":${twice}}}`],
  [
    'last',
    'seven',
    `{"params":{"arguments":${twice},"id":8},"method":"x","jsonrpc":"2.0" , "id" : "seven" }`,
  ],
  ['escaped', 'a"b', `{"params":${twice},"method":"x","\\u0069d":"a\\"b"}`],
  ['after much', 7, `{"params":[${'{"id":9},'.repeat(100_000)}0],"method":"x","id":7}`],
])('an error in the parameters names the request, whose id stands %s, advisory [D1]', (_, id, text) => {
  expect(refusedMessage(text)).toMatchObject({ id, code: -32602 })
})

test.each([
  '{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}',
  '{"jsonrpc":"2.0","id":1,"method":"x","method":"y"}',
  '{"jsonrpc":"2.0","id":1,"method":"x","Method":"y"}',
  `{"jsonrpc":"2.0","method":"x","params":${twice}}`,
  `{"jsonrpc":"2.0","id":1,"result":${twice}}`,
  `[{"jsonrpc":"2.0","id":1,"method":"x","params":${twice}}]`,
  `{"jsonrpc":"2.0","id":{"id":1},"method":"x","params":${twice}}`,
  `{"id":"${'x'.repeat(5_000)}","method":"x","params":${twice}}`,
  `{"id":1,"method":"x","params":${twice}${','.repeat(1_000_000)}}`,
  `{"id":1,"method":"x","params":${twice}${',"":1'.repeat(200_000)}}`,
])('a message without an id that all would read is an invalid request: %s, advisory [D1]', (text) => {
  expect(refusedMessage(text)).toMatchObject({ id: null, code: -32600 })
})

class Link extends BaseJsonRpcTransport {
  readonly sent: JsonRpcMessage[] = []
  start = async (): Promise<void> => {}
  close = async (): Promise<void> => this.finish()
  protected sendMessage(message: JsonRpcMessage): void {
    this.sent.push(message)
  }
  hear(text: string): void {
    this.receive(JSON.parse(text), undefined, text)
  }
}

test.each([
  '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"a","message":"b"}}',
  '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[],"Messages":[]}}',
  '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","Params":{"message":"a"}}',
  '[{"jsonrpc":"2.0","id":1,"method":"roots/list","params":{"_meta":{},"_META":{}}}]',
])(
  'a server’s request that others would read differently is refused, not answered: %s, advisory [D1]',
  async (text) => {
    const link = new Link()
    const asked: string[] = []
    link.setHandlers({ onRequest: async (method) => asked.push(method) })
    link.hear(text)
    await expect.poll(() => link.sent).toHaveLength(1)
    expect(link.sent).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: expect.any(Number), message: expect.stringContaining('the key "') },
      },
    ])
    expect(asked).toEqual([])
  },
)

test('results of servers are passed on as they are, advisory [D1]', async () => {
  const link = new Link()
  const result = link.request('x')
  link.hear('{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2,"Action":3}}')
  expect(await result).toEqual({ a: 2, Action: 3 })
})
