import { expect, test, vi } from 'vitest'
import { ordinaryCalls } from './corpus.ts'
import { judgeOfAll } from './judge.ts'
import { ruleSets } from './rule-sets.ts'

const calls = ordinaryCalls()

test('every ordinary call is judged as it was when the corpus was written', async () => {
  // `~` in a rule is the home folder of whoever runs this.
  vi.stubEnv('HOME', '/home/ada')
  const judge = judgeOfAll()
  const differing: string[] = []
  for (const call of calls) {
    const verdicts = await judge(call)
    if (verdicts === call.verdicts) continue
    const where = ruleSets.filter((_set, index) => verdicts[index] !== call.verdicts[index])
    const about = where.map((set) => set.about).join('; ')
    differing.push(`calls.jsonl:${call.line} ${call.subject} was ${call.verdicts}, is ${verdicts}: ${about}`)
  }
  expect({ count: differing.length, first: differing.slice(0, 20) }).toEqual({ count: 0, first: [] })
})

test('there are at least 2,000 different ones, and every rule set tells some apart', () => {
  expect(new Set(calls.map(({ subject, args }) => JSON.stringify([subject, args]))).size).toBe(calls.length)
  expect(calls.length).toBeGreaterThanOrEqual(2_000)
  for (const [index, { about }] of ruleSets.entries())
    expect(new Set(calls.map(({ verdicts }) => verdicts[index])).size, about).toBeGreaterThan(1)
})

test('texts of more than 4,096 characters are among those that are allowed by what they say', () => {
  const texts = ruleSets.findIndex(({ about }) => about === 'texts that are allowed')
  const long = calls.filter(({ args }) => JSON.stringify(args).length > 4_096)
  expect(long.filter(({ verdicts }) => verdicts[texts] === 'a').length).toBeGreaterThanOrEqual(20)
})
