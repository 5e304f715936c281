import { expect, test } from 'vitest'
import { eventStream } from '../src/http/event-stream.ts'

const megabyte = 'x'.repeat(2 ** 20)

test('a reader that leaves more unread than fits in memory is disconnected, however few events that are', async () => {
  let send: (event: unknown) => void = () => undefined
  let isOver = false
  const response = eventStream([], (write) => {
    send = write
    return () => {
      isOver = true
    }
  })
  for (let sent = 0; sent < 64 && !isOver; sent += 1) send(megabyte)
  expect(isOver).toBe(true)
  expect((await response.text()).length).toBeLessThan(32 * megabyte.length)
})
