import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Workplace, workplace } from '../workshop.ts'
import { callThenAnswer, runWithModel } from './with-model.ts'

let place: Workplace
beforeAll(() => {
  place = workplace()
})
afterAll(() => place.remove())

test('--code lets the model write code that calls the tools, by the same rules', async () => {
  const code = `return (await tools.workshop__open({ text: 'from code' }))`
  const turns = callThenAnswer('run_code', { code })
  const made = await runWithModel(place, ['ask', 'Go.', '--code', '--yes'], turns)
  expect(made).toMatchObject({ code: 0, stdout: 'Done.\n' })
  expect(made.requests[0]?.tools).toContain('run_code')
  expect(made.requests[0]?.tools).not.toContain('workshop__open')
  expect(made.requests[1]?.results).toEqual([expect.stringContaining('from code')])
  const denied = await runWithModel(
    place,
    ['ask', 'Go.', '--code', '--yes', '--deny', 'mcp://workshop/*'],
    turns,
  )
  expect(denied.requests[1]?.results).toEqual([expect.not.stringContaining('from code\\"')])
})
