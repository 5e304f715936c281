import { createServer, type Socket } from 'node:net'
import { openPgliteFromImage } from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, onTestFinished, test } from 'vitest'
import { isDatabaseUrl } from '../src/index.ts'
import { openLockbox } from '../src/lockbox.ts'
import { rejection, testKey } from './support/test-lockbox.ts'

const keyring = { key: testKey }

test.each([
  ['an opening', false],
  ['an exclusive opening', true],
])(
  '%s that is aborted leaves a database that does not answer, with the signal’s reason',
  async (_, exclusive) => {
    const { port, accepted } = await silentServer()
    const leaving = new AbortController()
    const location = `postgres://ann:${canary('password')}@127.0.0.1:${port}/x`
    const opening = rejection(openLockbox({ location, keyring, exclusive, signal: leaving.signal }))
    const socket = await accepted
    const hungUp = new Promise((resolve) => socket.once('close', resolve))
    const reason = new Error('changed my mind')
    leaving.abort(reason)
    expect(await opening).toBe(reason)
    await hungUp
  },
)

test('an opening that is aborted gives the folder back', async () => {
  const folder = await openPgliteFromImage()
  const { location } = folder
  onTestFinished(() => folder.close())
  const leaving = new AbortController()
  const opening = rejection(openLockbox({ location, keyring, signal: leaving.signal }))
  leaving.abort(new Error('changed my mind'))
  expect(await opening).toBe(leaving.signal.reason)
  const lockbox = await openLockbox({ location, keyring })
  await lockbox.close()
})

test.each([
  ['postgres://localhost/x', true],
  ['POSTGRESQL://ann:p%40ss@db.example:5432/x?sslmode=require', true],
  ['postgresq://localhost/x', false],
  ['not an address', false],
  ['/var/lib/lockbox', false],
  ['postgres://ann:12/34@db.example/x', false],
  ['postgres://ann:12#34@db.example/x', false],
  ['postgres://ann:12?34@db.example/x', false],
])('whether %j is the address of a database: %s', (text, isOne) => {
  expect(isDatabaseUrl(text)).toBe(isOne)
})

test('a password that breaks its address is told nowhere', async () => {
  const error = await rejection(
    openLockbox({ location: `postgres://ann:12/${canary('password')}@127.0.0.1:1/x`, keyring }),
  )
  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).not.toContain(canary('password'))
})

async function silentServer(): Promise<{ readonly port: number; readonly accepted: Promise<Socket> }> {
  const server = createServer()
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, accepted }
}
