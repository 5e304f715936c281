import type { CodeOutcome, CodeRequest } from '@toolbridge/bridge/code'
import { expect, test } from 'vitest'
import { limitedCodeRuns } from '../src/mcp/limited-code-runs.ts'

const request: CodeRequest = { code: '', functions: [], call: async () => null }
const outcome: CodeOutcome = { logs: [], cancelledCalls: 0 }

test('a principal has eight runs at once, whatever others have, and another one when one has ended', async () => {
  // Not the sandbox: eight threads cost more than this is worth.
  const ends: (() => void)[] = []
  const runsOf = limitedCodeRuns({
    run: () => new Promise((resolve) => ends.push(() => resolve(outcome))),
  })
  const runs = Array.from({ length: 8 }, () => runsOf('ada').run(request))
  expect((await runsOf('ada').run(request)).failure?.message).toContain('8 runs of code are in progress')
  runs.push(runsOf('bob').run(request))
  ends[0]?.()
  expect(await runs[0]).toBe(outcome)
  runs.push(runsOf('ada').run(request))
  expect(ends).toHaveLength(10)
  for (const end of ends) end()
  await Promise.all(runs)
})

test('a run that is aborted makes way for another', async () => {
  const runsOf = limitedCodeRuns({ run: () => Promise.reject(new Error('aborted')) })
  for (let i = 0; i < 9; i += 1) await expect(runsOf('ada').run(request)).rejects.toThrow('aborted')
})
