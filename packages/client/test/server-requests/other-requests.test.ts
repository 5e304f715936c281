import { expect, test, vi } from 'vitest'
import { connectedTo } from '../support/both-eras.ts'

test('requests that no other option answers go to onServerRequest [S4-66] [S4-67] [S4-79]', async () => {
  const onServerRequest = vi.fn(async () => ({ said: 'yes' }))
  const { client, server } = await connectedTo('2025-11-25', {}, {}, { onServerRequest, roots: [] })
  await server.end.send({ jsonrpc: '2.0', id: 'own', method: 'vendor/ask', params: { about: 'x' } })
  await server.end.send({ jsonrpc: '2.0', id: 'roots', method: 'roots/list' })
  expect(await server.answer('own')).toMatchObject({ result: { said: 'yes' } })
  expect(await server.answer('roots')).toMatchObject({ result: { roots: [] } })
  expect(onServerRequest).toHaveBeenCalledExactlyOnceWith(
    'vendor/ask',
    { about: 'x' },
    { signal: expect.any(AbortSignal) },
  )
  await client.close()
})

test('without onServerRequest they are refused [S4-79]', async () => {
  const { client, server } = await connectedTo('2025-11-25', {}, {})
  await server.end.send({ jsonrpc: '2.0', id: 'own', method: 'vendor/ask' })
  expect(await server.answer('own')).toMatchObject({ error: { code: -32601 } })
  await client.close()
})
