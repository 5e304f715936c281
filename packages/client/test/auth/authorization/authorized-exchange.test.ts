import { expect, test } from 'vitest'
import { AuthorizedExchange } from '../../../src/http/authorized-exchange.ts'
import type { McpAuthorization } from '../../../src/index.ts'

test('a request that cannot be sent with late credentials fails with the reason', async () => {
  const authorization: McpAuthorization = {
    authorize: async () => 'unknown',
    headersFor: async () => ({ authorization: 'word' }),
    onRefused: async () => false,
  }
  const failure = new TypeError('invalid header')
  const ended = new Promise<unknown>((resolve) => {
    const reader = { open: () => expect.unreachable(), done: resolve }
    const request = { method: 'POST', url: 'https://a.test/mcp' }
    const send = (): never => {
      throw failure
    }
    new AuthorizedExchange(authorization, request, reader, send).start()
  })
  expect(await ended).toBe(failure)
})
