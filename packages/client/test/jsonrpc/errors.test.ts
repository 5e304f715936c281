import { expect, test } from 'vitest'
import { McpError, McpErrorCode } from '../../src/index.ts'
import { Refusal, scriptedServer } from '../support/scripted-server.ts'

test('the codes are those of JSON-RPC, and the two that clients use for a lost connection and a timeout [S4-10]', () => {
  expect(McpErrorCode).toEqual({
    ConnectionClosed: -32000,
    RequestTimeout: -32001,
    ParseError: -32700,
    InvalidRequest: -32600,
    MethodNotFound: -32601,
    InvalidParams: -32602,
    InternalError: -32603,
  })
})

test('the error of a response is an Error with its message, code and data [S4-11]', async () => {
  const refusal = new Refusal(-32050, { field: 'path' }, 'no such file')
  const { transport } = scriptedServer({ ask: () => refusal })
  const error: unknown = await transport.request('ask').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(McpError)
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ message: 'no such file', code: -32050, data: { field: 'path' } })
})
