import { expect, test } from 'vitest'
import { SingleFlight } from '../../../src/auth/authorization/single-flight.ts'

test('work that is being given up is not joined: a later caller starts the work again', async () => {
  const flights = new SingleFlight()
  const abort = new AbortController()
  let giveUp = (): void => undefined
  const slow = (): Promise<void> =>
    new Promise((_, reject) => {
      giveUp = () => reject(new Error('given up'))
    })
  const impatient = flights.run('sign in', slow, abort.signal)
  abort.abort('no time')
  await expect(impatient).rejects.toBe('no time')
  let isDone = false
  const patient = flights.run('sign in', async () => void (isDone = true), undefined)
  giveUp()
  await patient
  expect(isDone).toBe(true)
})
