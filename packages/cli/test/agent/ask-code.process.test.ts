import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Workplace, workplace } from '../workshop.ts'
import { callThenAnswer, runWithModel } from './with-model.ts'

let place: Workplace
beforeAll(() => {
  place = workplace()
})
afterAll(() => place.remove())

const code = `return (await tools.workshop__open({ text: 'from code' }))`
const turns = callThenAnswer('run_code', { code })

test('--code lets the model write code that calls the tools, by the same rules', async () => {
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

test('--code of a chat is for every message, and what is approved there for the calls of code too', async () => {
  const input = 'Go.\n/approve mcp://workshop/*\nGo.\n'
  const chat = await runWithModel(place, ['chat', '--code'], [...turns, ...turns], { input })
  const { stdout, stderr, requests } = chat
  expect(stdout).toBe('Done.\nDone.\n')
  expect(stderr).toContain('needs an approval (mode ask). Run the command at a terminal')
  expect(requests.map(({ tools }) => tools.includes('run_code'))).toEqual([true, true, true, true])
  expect(requests.at(-1)?.results).toEqual([
    expect.stringContaining('needs an approval'),
    expect.stringContaining('from code'),
  ])
})

test('without a terminal, stderr says how to approve the calls of code', async () => {
  const { code: status, stderr } = await runWithModel(place, ['ask', 'Go.', '--code'], turns)
  expect(status).toBe(0)
  expect(stderr).toMatch(/^✗ run_code: .*workshop__open needs an approval .* --yes or --allow <rule>\n$/)
})
