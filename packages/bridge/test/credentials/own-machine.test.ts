import { allowInsecureHttp, allowLoopback } from '@toolbridge/client/auth'
import { expect, test } from 'vitest'
import { ownMachine } from '../../src/credentials/account.ts'

test.each([
  'http://127.0.0.1:1/mcp',
  'https://localhost/mcp',
  'http://10.0.0.1/mcp',
  'https://mcp.internal/',
])('the authorization server of %s may be in a private network', (url) =>
  expect(ownMachine(url)).toEqual({ [allowLoopback]: true, [allowInsecureHttp]: true }),
)

test.each([
  'https://mcp.example.com/mcp',
  'http://mcp.example.com/mcp',
  'https://ada:secret@mcp.example.com/mcp',
  'http://169.254.169.254/mcp',
])('a public server such as %s leads into no private network', (url) => {
  expect(ownMachine(url)[allowLoopback]).toBeUndefined()
})
