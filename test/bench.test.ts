import { expect, test } from 'vitest'
import { intervalOf, isSettled, median, ratiosOf, valuesOf } from '../bench/precision.mjs'
import { medianRows, resultsOf } from '../bench/report.mjs'
import { interleaved, sampleOf } from '../bench/slices.mjs'

const failed = (client: string, error: unknown) => {
  throw new Error(`${client} failed`, { cause: error })
}

test('slices are taken forwards, then backwards, so that neighbours share the speed of the machine', async () => {
  const order: string[] = []
  const take = async (client: string) => ({ at: order.push(client) })
  const slices = await interleaved(['a', 'b'], 4, take, failed)
  expect(order.join('')).toBe('abbaabba')
  expect(slices.get('a')).toEqual([{ at: 1 }, { at: 4 }, { at: 5 }, { at: 8 }])
})

test('a client that fails is reported once and left out of the slices; the others go on', async () => {
  const failures: string[] = []
  const take = async (client: string) => {
    if (client === 'b') throw new Error('gone')
    return { cpu: 1 }
  }
  const slices = await interleaved(['a', 'b', 'c'], 3, take, (client) => failures.push(client))
  expect(failures).toEqual(['b'])
  expect([...slices].map(([client, taken]) => [client, taken.length])).toEqual([
    ['a', 3],
    ['c', 3],
  ])
})

test('a ratio is taken slice by slice: a drift of the machine that both clients see does not change it', () => {
  const drift = [1, 1.1, 1.3, 2, 5, 0.7]
  const round = roundOf(
    drift.map((speed) => 10 * speed),
    drift.map((speed) => 12 * speed),
  )
  expect(ratiosOf([round], 'cpu', 'subject', 'base')).toEqual([expect.closeTo(1.2)])
  expect(valuesOf([round], 'cpu', 'base')).toEqual([12])
})

test('one disturbed slice does not change the ratio of a round', () => {
  expect(ratiosOf([roundOf([10, 10, 10], [12, 90, 12])], 'cpu', 'subject', 'base')).toEqual([1.2])
})

test('a client without slices has neither value nor ratio', () => {
  const round = new Map([['base', sampleOf([{ cpu: 10 }])]])
  expect(ratiosOf([round], 'cpu', 'subject', 'base')).toEqual([undefined])
  expect(valuesOf([round], 'cpu', 'subject')).toEqual([undefined])
})

test('the median ignores what is missing, and its interval needs five rounds', () => {
  expect(median([3, undefined, 1, 2])).toBe(2)
  expect(median([1, 2])).toBe(1.5)
  expect(median([])).toBeUndefined()
  expect(intervalOf([1, 2, 3, 4])).toBeUndefined()
  // For 5 numbers only all of them reach 90 % (1 - 2 / 2^5); for 8, the second to the seventh do (1 - 18 / 2^8).
  expect(intervalOf([5, 1, 4, 2, 3])).toEqual({ low: 1, high: 5 })
  expect(intervalOf([8, 7, 6, 5, 4, 3, 2, 1])).toEqual({ low: 2, high: 7 })
})

test('a row is known when its interval is narrow', () => {
  const rows = [{ key: 'cpu', title: 'CPU', unit: 'ms', target: { atMost: 1.2 } }]
  const rounds = (ratios: readonly number[]) => ratios.map((ratio) => roundOf([10], [10 * ratio]))
  const clients = { base: 'base', subject: 'subject' }
  expect(isSettled(rows, rounds([1.19, 1.2, 1.2, 1.21]), clients)).toBe(false)
  expect(isSettled(rows, rounds([1.18, 1.19, 1.2, 1.21, 1.22]), clients)).toBe(true)
  expect(isSettled(rows, rounds([1, 1.19, 1.2, 1.21, 1.4]), clients)).toBe(false)
})

test('of several runs, a row is that of the run with the median ratio, or median value if that has the target', () => {
  const run = (ratio: number, value: number) => [...ratioOf(ratio), ...valueOf(value)]
  const [ratioRow, valueRow] = medianRows([run(1.3, 4), run(1.1, 7), run(1.15, 6)])
  expect(ratioRow).toMatchObject({ subjectRatios: { base: 1.15 }, isMet: true })
  expect(valueRow).toMatchObject({ medians: { subject: 6 }, isMet: false })
})

test('a target that names peers is met only if the subject is less than each of them', () => {
  const target = { atMost: 1.3, lessThan: ['slow', 'fast'] }
  const measure = { ...measureOf('ratio', target), clients: ['base', 'subject', 'slow', 'fast'] }
  const isMet = (peers: readonly (readonly [string, number])[]) => {
    const round = new Map([
      ...roundOf([10], [12]),
      ...peers.map(([peer, cpu]) => [peer, { cpu: [cpu] }] as const),
    ])
    return resultsOf(measure, [round])[0]?.isMet
  }
  expect(
    isMet([
      ['slow', 20],
      ['fast', 13],
    ]),
  ).toBe(true)
  expect(
    isMet([
      ['slow', 20],
      ['fast', 12],
    ]),
  ).toBe(false)
  expect(isMet([['slow', 20]])).toBe(false)
})

test('runs of some measures only are combined: a row is that of the median of the runs that have it', () => {
  const rows = medianRows([
    ratioOf(1.3),
    valueOf(4),
    [...valueOf(7), ...ratioOf(1.1)],
    ratioOf(1.15),
    valueOf(6),
  ])
  expect(rows).toMatchObject([
    { measure: 'ratio', subjectRatios: { base: 1.15 } },
    { measure: 'value', medians: { subject: 6 } },
  ])
})

test('rows against different bases are not combined', () => {
  const raw = ratioOf(1.3)
  const before = raw.map((row) => ({ ...row, base: 'before', subjectRatios: { before: 1.01 } }))
  expect(medianRows([raw, before])).toEqual([...raw, ...before])
})

function ratioOf(ratio: number) {
  return resultsOf(measureOf('ratio', { atMost: 1.2 }), [roundOf([10], [10 * ratio])])
}

function valueOf(value: number) {
  return resultsOf(measureOf('value', { value: 5 }), [roundOf([value], [value])])
}

function roundOf(base: readonly number[], subject: readonly number[]) {
  const sample = (numbers: readonly number[]) => sampleOf(numbers.map((cpu) => ({ cpu })))
  return new Map([
    ['base', sample(base)],
    ['subject', sample(subject)],
  ])
}

function measureOf(
  name: string,
  target: { atMost: number; lessThan?: readonly string[] } | { value: number },
) {
  return {
    name,
    module: 'example',
    server: { kind: 'none' as const },
    maxRounds: 1,
    isPinned: false,
    clients: ['base', 'subject'],
    rows: [{ key: 'cpu', title: 'CPU', unit: 'ms', target }],
  }
}
