import { ClientRequest } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { openBridge } from '@toolbridge/bridge'
import { startHttpFixture } from '@toolbridge/testkit/servers'
import { expect, onTestFinished, test } from 'vitest'
import { permissive, plainServer } from './servers/specs.ts'

test('a call over stdio passes at most 7 files from the bridge to the pipe', async () => {
  await using bridge = await openBridge(permissive([plainServer('a')]))
  // The first call pins the tool, which takes a promise.
  await bridge.call('a__echo', { text: 'x' })
  // A message that follows another one in the same turn is written later, by nobody who called.
  await turnOfEventLoop()
  const files = filesOnStack(Socket.prototype, 'write')
  await bridge.call('a__echo', { text: 'x' })
  expect(files()).toEqual([
    'bridge/src/open-bridge.ts',
    'bridge/src/call.ts',
    'bridge/src/upstream/upstream.ts',
    'client/src/client.ts',
    'client/src/jsonrpc/base-transport.ts',
    'client/src/transports/stdio/stdio-transport.ts',
    'client/src/transports/stdio/coalescing-writer.ts',
  ])
})

test('a call over HTTP passes at most 9 files from the bridge to the socket', async () => {
  await using server = await startHttpFixture('hello')
  const spec = {
    name: 'remote',
    transport: 'http',
    url: server.url,
    headers: {},
    enabled: true,
    required: false,
    source: { file: 'test', pointer: '/remote' },
  } as const
  await using bridge = await openBridge(permissive([spec]))
  await bridge.call('remote__hello', { name: 'Ada' })
  const files = filesOnStack(ClientRequest.prototype, 'end')
  await bridge.call('remote__hello', { name: 'Ada' })
  expect(files()).toEqual([
    'bridge/src/open-bridge.ts',
    'bridge/src/call.ts',
    'bridge/src/upstream/upstream.ts',
    'client/src/client.ts',
    'client/src/jsonrpc/base-transport.ts',
    'client/src/transports/http/http-transport.ts',
    'client/src/transports/http/http-call.ts',
    'client/src/http/http-endpoint.ts',
    'client/src/http/node-sender.ts',
  ])
})

/** Files of the packages on the stack when a tool call is handed to Node, the caller first. */
function filesOnStack(target: object, method: string): () => readonly string[] {
  const original: (...args: unknown[]) => unknown = Reflect.get(target, method)
  const { stackTraceLimit } = Error
  let stack = ''
  Error.stackTraceLimit = 100
  Reflect.set(target, method, function (this: unknown, ...args: unknown[]) {
    if (String(args[0]).includes('"tools/call"')) stack = new Error('for its stack').stack ?? ''
    return original.apply(this, args)
  })
  onTestFinished(() => {
    Error.stackTraceLimit = stackTraceLimit
    Reflect.set(target, method, original)
  })
  return () => {
    const files = [...stack.matchAll(/packages\/((?:bridge|client)\/src\/[^:]+\.ts)/g)].map(
      ([, file = '']) => file,
    )
    return [...new Set(files)].toReversed()
  }
}
