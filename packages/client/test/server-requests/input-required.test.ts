import { expect, test, vi } from 'vitest'
import {
  type ElicitResult,
  type JsonRpcRequest,
  McpClient,
  type McpClientOptions,
  type RequestOptions,
} from '../../src/index.ts'
import { fakeTime } from '../support/fake-time.ts'
import { modernServer, type Script, silence } from '../support/scripted-server.ts'

type Params = Readonly<Record<string, unknown>>

const question = (message: string): object => ({
  method: 'elicitation/create',
  params: {
    message,
    requestedSchema: { type: 'object', properties: { size: { type: 'string', default: 'S' } } },
  },
})

const accept = async (): Promise<ElicitResult> => ({ action: 'accept', content: { name: 'Ada' } })

test('a request is repeated as a new one with the answers and the exact state, until it is complete [F14 F12]', async () => {
  const { client, calls } = await connected(
    ({ inputResponses, requestState }) => {
      if (requestState === undefined) return needs({ who: question('Who?') }, 'state ✓ \u2028 1')
      if (requestState === 'state ✓ \u2028 1') return needs({ why: question('Why?') }, 'state 2')
      return { content: [{ type: 'text', text: JSON.stringify(inputResponses) }] }
    },
    { onElicitation: accept },
  )
  const result = await client.callTool('order', { pizza: 1 })
  const answers = { why: { action: 'accept', content: { size: 'S', name: 'Ada' } } }
  expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(answers) }])
  expect(calls.map(({ params }) => withoutMeta(params))).toEqual([
    { name: 'order', arguments: { pizza: 1 } },
    {
      name: 'order',
      arguments: { pizza: 1 },
      inputResponses: { who: answers.why },
      requestState: 'state ✓ \u2028 1',
    },
    { name: 'order', arguments: { pizza: 1 }, inputResponses: answers, requestState: 'state 2' },
  ])
  expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
})

test('without a state none is sent, and other requests carry neither answers nor state [F14]', async () => {
  const { client, calls } = await connected(
    ({ inputResponses }) => (inputResponses === undefined ? needs({ a: question('?') }) : { content: [] }),
    { onElicitation: accept },
  )
  await client.callTool('first')
  expect(withoutMeta(calls[1]?.params)).not.toHaveProperty('requestState')
  const other = client.callTool('other', {}, { inputRequired: 'return' })
  await other
  expect(withoutMeta(calls[2]?.params)).toEqual({ name: 'other', arguments: {} })
})

test('several questions are asked at once, of a person and about roots [F14]', async () => {
  const asked: string[] = []
  const { client, calls } = await connected(
    ({ inputResponses }) =>
      inputResponses === undefined
        ? needs({ a: question('A?'), b: question('B?'), c: { method: 'roots/list' } })
        : { content: [] },
    {
      roots: [{ uri: 'file:///work' }],
      onElicitation: async ({ message }) => {
        asked.push(message)
        await expect.poll(() => asked).toHaveLength(2)
        return { action: 'decline' }
      },
    },
  )
  await client.callTool('any')
  expect(calls[1]?.params).toMatchObject({
    inputResponses: {
      a: { action: 'decline' },
      b: { action: 'decline' },
      c: { roots: [{ uri: 'file:///work' }] },
    },
  })
})

test('a server that only wants to be asked again is asked again, but not at once [F14]', async () => {
  const { client, calls } = await connected(({ requestState }) =>
    requestState === undefined ? { resultType: 'input_required', requestState: 'busy' } : { content: [] },
  )
  const pass = fakeTime()
  const calling = client.callTool('any')
  await pass(240)
  expect(calls).toHaveLength(1)
  await pass(10)
  await calling
  expect(withoutMeta(calls[1]?.params)).toEqual({ name: 'any', arguments: {}, requestState: 'busy' })
})

test('a server that never has enough is given up after ten rounds [F14]', async () => {
  const { client, calls } = await connected(() => needs({ a: question('?') }), { onElicitation: accept })
  await expect(client.callTool('any')).rejects.toThrow('after 10 rounds of tools/call')
  expect(calls).toHaveLength(11)
})

test.each([
  ['was not offered', { method: 'sampling/createMessage', params: {} }, 'which this client did not announce'],
  ['is no input', { method: 'tools/call', params: {} }, 'which is not an input request'],
  ['does not say what it is', {}, 'without saying which'],
  [
    'goes to an address, which was not offered',
    { method: 'elicitation/create', params: { mode: 'url' } },
    'by form',
  ],
])('a question that %s ends the call and is not answered [F14]', async (_, asked, message) => {
  const { client, calls } = await connected(() => needs({ a: asked }), { onElicitation: accept })
  await expect(client.callTool('any')).rejects.toThrow(message)
  expect(calls).toHaveLength(1)
})

test('a handler that fails ends the call with its error and withdraws the other questions', async () => {
  let withdrawn: AbortSignal | undefined
  const { client } = await connected(() => needs({ a: question('fails'), b: question('waits') }), {
    onElicitation: async ({ message }, { signal }) => {
      if (message === 'fails') throw new Error('no person here')
      withdrawn = signal
      return new Promise(() => undefined)
    },
  })
  await expect(client.callTool('any')).rejects.toThrow('no person here')
  expect(withdrawn?.aborted).toBe(true)
})

test('a request’s own handler is asked first [F14]', async () => {
  const onElicitation = vi.fn(accept)
  const { client, calls } = await connected(
    ({ inputResponses }) => (inputResponses === undefined ? needs({ a: question('?') }) : { content: [] }),
    { onElicitation },
  )
  await client.callTool('any', {}, { onRequest: async () => ({ action: 'cancel' }) })
  expect(calls[1]?.params).toMatchObject({ inputResponses: { a: { action: 'cancel' } } })
  expect(onElicitation).not.toHaveBeenCalled()
})

test('a caller may take the questions itself and repeat the request [F14]', async () => {
  const { client } = await connected(({ inputResponses, requestState }) =>
    inputResponses === undefined ? needs({ a: question('?') }, 'S') : { content: [], echoed: requestState },
  )
  const options: RequestOptions = { inputRequired: 'return', capabilities: { elicitation: { form: {} } } }
  const params = { name: 'any', arguments: {} }
  const first = await client.request('tools/call', params, options)
  expect(first).toMatchObject({ resultType: 'input_required', requestState: 'S', inputRequests: { a: {} } })
  const answers = { inputResponses: { a: { action: 'cancel' } }, requestState: 'S' }
  expect(await client.request('tools/call', { ...params, ...answers }, options)).toMatchObject({
    echoed: 'S',
  })
})

test('aborting while a person thinks rejects with the reason and withdraws the question', async () => {
  let asked: AbortSignal | undefined
  const { client } = await connected(() => needs({ a: question('?') }), {
    onElicitation: async (_, { signal }) => {
      asked = signal
      return new Promise(() => undefined)
    },
  })
  const abort = new AbortController()
  const call = client.callTool('any', {}, { signal: abort.signal })
  await expect.poll(() => asked).toBeDefined()
  abort.abort('enough')
  await expect(call).rejects.toBe('enough')
  expect(asked?.aborted).toBe(true)
})

test('closing the connection withdraws what a person is asked', async () => {
  let asked: AbortSignal | undefined
  const { client } = await connected(() => needs({ a: question('?') }), {
    onElicitation: async (_, { signal }) => {
      asked = signal
      return new Promise(() => undefined)
    },
  })
  const call = client.callTool('any')
  const rejected = expect(call).rejects.toMatchObject({ kind: 'closed' })
  await expect.poll(() => asked).toBeDefined()
  await client.close()
  await rejected
  expect(asked?.aborted).toBe(true)
})

test('the time a person takes counts neither for a round nor for all of them', async () => {
  const pass = fakeTime()
  const think = async (): Promise<ElicitResult> => {
    await pass(60_000)
    return { action: 'cancel' }
  }
  const { client } = await connected(
    ({ inputResponses }) => (inputResponses === undefined ? needs({ a: question('?') }) : { content: [] }),
    { onElicitation: think },
  )
  const options = { timeoutMs: 20_000, maxTimeoutMs: 30_000 }
  expect(await client.callTool('any', {}, options)).toEqual({ content: [] })
})

test('many calls may ask at once, without a warning of the runtime', async () => {
  const warned = vi.fn()
  process.on('warning', warned)
  const { client } = await connected(
    ({ inputResponses }) => (inputResponses === undefined ? needs({ a: question('?') }) : { content: [] }),
    {
      onElicitation: async (_, { signal }) => {
        signal.addEventListener('abort', () => undefined)
        await new Promise((resolve) => setTimeout(resolve, 20))
        return { action: 'cancel' }
      },
    },
  )
  await Promise.all(Array.from({ length: 50 }, () => client.callTool('any')))
  process.off('warning', warned)
  expect(warned).not.toHaveBeenCalled()
})

test('a round that takes too long is given up like any request', async () => {
  const { client } = await connected(
    ({ inputResponses }) => (inputResponses === undefined ? needs({ a: question('?') }) : silence),
    { onElicitation: accept },
  )
  await expect(client.callTool('any', {}, { timeoutMs: 100 })).rejects.toMatchObject({ kind: 'timeout' })
})

function needs(inputRequests: object, requestState?: string): object {
  return {
    resultType: 'input_required',
    inputRequests,
    ...(requestState === undefined ? {} : { requestState }),
  }
}

function withoutMeta(params: unknown): object {
  const { _meta, ...rest } = params as Params
  return rest
}

async function connected(
  call: (params: Params) => unknown,
  options: McpClientOptions = {},
): Promise<{ client: McpClient; calls: JsonRpcRequest[] }> {
  const calls: JsonRpcRequest[] = []
  const script: Script = {
    'tools/call': (request) => {
      calls.push(request)
      return call(request.params as Params)
    },
  }
  const client = new McpClient(modernServer(script).transport, options)
  await client.connect()
  return { client, calls }
}
