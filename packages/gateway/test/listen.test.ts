import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from '../src/http/listen.ts'

test('a port that is in use is refused, or replaced by a free one if that is permitted', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const options = { hostname: '127.0.0.1', port, allowedHostHeaders: [] }
  await expect(listen(options)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  const listening = await listen({ ...options, mayUseOtherPort: true })
  expect(Number(new URL(listening.url).port)).toBeGreaterThan(0)
  expect(listening.hostHeaders).toContain(new URL(listening.url).host)
  await listening.close()
  taken.close()
})
