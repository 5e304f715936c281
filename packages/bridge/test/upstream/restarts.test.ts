import { expect, test } from 'vitest'
import { defaultRestarts, Restarts } from '../../src/upstream/restarts.ts'
import { ManualClock } from '../servers/manual-clock.ts'

test('a server that keeps dying is tried ever more rarely, then not by itself, and again once it was healthy [C8]', () => {
  const clock = new ManualClock()
  let starts = 0
  const restarts = new Restarts({
    policy: { ...defaultRestarts, maxRestarts: 4, maxDelayMs: 1_500 },
    clock,
    random: () => 1,
    restart: () => (starts += 1),
  })
  const waits: number[] = []
  for (let death = 0; death < 4; death += 1) {
    restarts.ready()
    const { at, isAutomatic } = restarts.planRestart()
    expect(isAutomatic).toBe(true)
    waits.push(at - clock.now())
    clock.advance(at - clock.now())
  }
  expect(waits).toEqual([0, 500, 1_000, 1_500])
  expect(starts).toBe(4)
  restarts.ready()
  expect(restarts.planRestart()).toEqual({ at: clock.now() + 1_500, isAutomatic: false })
  clock.advance(10_000)
  expect(starts).toBe(4)
  restarts.ready()
  clock.advance(defaultRestarts.healthyAfterMs)
  expect(restarts.planRestart()).toEqual({ at: clock.now(), isAutomatic: true })
})

test('waits are spread over half their length', () => {
  const clock = new ManualClock()
  const waits = [0, 0.5, 1].map((random) => {
    const restarts = new Restarts({ policy: defaultRestarts, clock, random: () => random, restart: () => {} })
    restarts.planRestart()
    return restarts.planRestart().at - clock.now()
  })
  expect(waits).toEqual([250, 375, 500])
})
