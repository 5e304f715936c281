import { describe, expect, test } from 'vitest'
import { isResourceNotFound } from '../../src/index.ts'
import { connectedTo, eras, paramsOf } from '../support/both-eras.ts'
import { Refusal } from '../support/scripted-server.ts'

describe.each(eras)('in %s', (era) => {
  test('resources are read with all that they hold [S4-64] [F5]', async () => {
    const contents = [
      { uri: 'x:1', text: '', mimeType: 'text/plain' },
      { uri: 'x:1/part', blob: 'AA==', _meta: { a: 1 } },
    ]
    const { client } = await connectedTo(era, { resources: {} }, { 'resources/read': () => ({ contents }) })
    expect((await client.readResource('x:1')).contents).toEqual(contents)
  })

  test.each([
    ['with a code of its own', new Refusal(-32002)],
    ['with its address', new Refusal(-32602, { uri: 'x:1' })],
    ['in words', new Refusal(-32602, undefined, 'Resource x:1 not found')],
  ])('a resource that is not there is told %s [F5]', async (_, refusal) => {
    const { client } = await connectedTo(era, { resources: {} }, { 'resources/read': () => refusal })
    const error: unknown = await client.readResource('x:1').catch((reason: unknown) => reason)
    expect(isResourceNotFound(error)).toBe(true)
  })

  test('other failures are not taken for a missing resource [F5]', async () => {
    const { client } = await connectedTo(
      era,
      { resources: {} },
      { 'resources/read': () => new Refusal(-32602) },
    )
    const error: unknown = await client.readResource('x:1').catch((reason: unknown) => reason)
    expect(isResourceNotFound(error)).toBe(false)
    expect(isResourceNotFound(new Error('not found'))).toBe(false)
  })

  test('a prompt is filled in [S4-64] [F7]', async () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Hi' } }]
    const { client, server } = await connectedTo(
      era,
      { prompts: {} },
      { 'prompts/get': () => ({ messages }) },
    )
    expect((await client.getPrompt('greet', { name: 'Ada' })).messages).toEqual(messages)
    const asked = await server.message('prompts/get')
    expect(paramsOf(asked)).toEqual({ name: 'greet', arguments: { name: 'Ada' } })
  })

  test('an argument is completed, and the server told of the others [F8]', async () => {
    const { client, server } = await connectedTo(
      era,
      { completions: {} },
      {
        'completion/complete': () => ({ completion: { values: ['Paris'], total: 1, hasMore: false } }),
      },
    )
    const request = {
      ref: { type: 'ref/prompt', name: 'travel' },
      argument: { name: 'city', value: 'P' },
      context: { arguments: { country: 'France' } },
    } as const
    expect(await client.complete(request)).toEqual({ values: ['Paris'], total: 1, hasMore: false })
    expect(paramsOf(await server.message('completion/complete'))).toEqual(request)
  })

  test('a verb that the server did not offer is refused here, and nothing is sent', async () => {
    const { client, server } = await connectedTo(era, { tools: {} }, {})
    const before = server.received.length
    const ref = { type: 'ref/prompt', name: 'x' } as const
    const verbs = [
      client.listResources(),
      client.readResource('x:1'),
      client.subscribeResource('x:1'),
      client.listPrompts(),
      client.getPrompt('x'),
      client.complete({ ref, argument: { name: 'a', value: '' } }),
      client.setLogLevel('info'),
      client.callToolTask('x'),
      client.getTask('x'),
      client.listTasks(),
    ]
    for (const verb of verbs) {
      const message = expect.stringMatching(/does not support .*; it declares tools$/)
      await expect(verb).rejects.toMatchObject({ kind: 'unsupported', message })
    }
    expect(server.received).toHaveLength(before)
  })

  test('a server that hands out nonsense gets no further than its call', async () => {
    const { client } = await connectedTo(
      era,
      { resources: {}, prompts: {}, completions: {} },
      {
        'resources/list': () => ({ resources: 7 }),
        'resources/read': () => ({ contents: [{ uri: 'x:1' }] }),
        'prompts/get': () => ({ messages: [{ role: 'user' }] }),
        'completion/complete': () => ({ completion: { values: [1] } }),
      },
    )
    const ref = { type: 'ref/prompt', name: 'x' } as const
    const verbs = [
      client.listResources(),
      client.readResource('x:1'),
      client.getPrompt('x'),
      client.complete({ ref, argument: { name: 'a', value: '' } }),
    ]
    for (const verb of verbs) await expect(verb).rejects.toMatchObject({ kind: 'malformed' })
  })
})

test('servers before 2025-06-18 are not told the other arguments, and before 2025-03-26 completion is just tried [F8]', async () => {
  const values = { completion: { values: ['x'] } }
  const { client, server } = await connectedTo('2024-11-05', {}, { 'completion/complete': () => values })
  const ref = { type: 'ref/resource', uri: 'x:{a}' } as const
  const context = { arguments: { b: '1' } }
  await client.complete({ ref, argument: { name: 'a', value: '' }, context })
  expect(paramsOf(await server.message('completion/complete'))).toEqual({
    ref,
    argument: { name: 'a', value: '' },
  })
})

test('the level of logs is set when the connection opens, and later [S4-64] [F9]', async () => {
  const levels: unknown[] = []
  const { client } = await connectedTo(
    '2025-11-25',
    { logging: {} },
    {
      'logging/setLevel': (request) => {
        levels.push(paramsOf(request)['level'])
        return {}
      },
    },
    { logLevel: 'warning' },
  )
  await client.setLogLevel('debug')
  expect(levels).toEqual(['warning', 'debug'])
})

test('without a handshake the level of logs travels with each request [F9]', async () => {
  const { client, server } = await connectedTo(
    '2026-07-28',
    { logging: {}, tools: {} },
    {
      'tools/list': () => ({ tools: [] }),
    },
  )
  await client.setLogLevel('debug')
  await client.listTools()
  expect(await server.message('tools/list')).toMatchObject({
    params: { _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } },
  })
})
