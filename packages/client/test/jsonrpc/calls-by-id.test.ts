import { expect, test } from 'vitest'
import { CallsById } from '../../src/jsonrpc/calls-by-id.ts'

interface Call {
  readonly id: number | string
}

test('calls are found by their ids, however many are in flight and however long some go on', () => {
  const calls = new CallsById<Call>()
  const endless: readonly Call[] = [{ id: 1 }, { id: 2 }, { id: 'listen-1' }]
  for (const call of endless) calls.add(call)
  const inFlight: Call[] = []
  for (let id = 3; id < 5_000; id += 1) {
    const call = { id }
    calls.add(call)
    inFlight.push(call)
    expect(calls.get(id)).toBe(call)
    // More and more of them at once, and never the oldest first.
    const over = inFlight.length > id / 20 ? inFlight.splice(inFlight.length >> 1, 1)[0] : undefined
    if (over !== undefined) calls.delete(over)
    if (over !== undefined) expect(calls.get(over.id)).toBeUndefined()
  }
  expect(calls.size).toBe(endless.length + inFlight.length)
  for (const call of [...endless, ...inFlight]) expect(calls.get(call.id)).toBe(call)
  expect(allOf(calls).slice(0, 2)).toEqual(endless.slice(0, 2))
})

test('all calls come in the order they were made', () => {
  const calls = new CallsById<Call>()
  const made = Array.from({ length: 300 }, (_unused, index) => ({ id: index + 1 }))
  for (const call of made) calls.add(call)
  expect(allOf(calls)).toEqual(made)
})

test('an id that nobody gave finds nothing, though its place is taken, and is not taken out', () => {
  const calls = new CallsById<Call>()
  const call = { id: 5 }
  calls.add(call)
  for (const id of [5 + 16, 5.5, -11, Number.NaN, '5']) expect(calls.get(id)).toBeUndefined()
  calls.delete({ id: 5 + 16 })
  calls.delete({ id: 'listen-1' })
  expect([calls.size, calls.get(5)]).toEqual([1, call])
  calls.delete(call)
  calls.delete(call)
  expect([calls.size, allOf(calls)]).toEqual([0, []])
})

function allOf(calls: CallsById<Call>): readonly Call[] {
  const all: Call[] = []
  calls.forEach((call) => all.push(call))
  return all
}
