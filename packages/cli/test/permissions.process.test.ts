import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toolbridge } from './transcript.ts'
import { type Workplace, workplace } from './workshop.ts'

let place: Workplace
beforeAll(() => {
  place = workplace()
  const rules = { mode: 'ask', allow: ['mcp://workshop/open'], deny: ['mcp://workshop/open(text=a*)'] }
  writeFileSync(join(place.path, 'mcp.permissions.json'), JSON.stringify(rules))
})
afterAll(() => place.remove())

test.each([
  [['permissions', 'test', 'workshop.open', 'text=b'], 0, /^workshop__open: allowed\n/],
  [['permissions', 'test', 'workshop.fail'], 1, /^workshop__fail: needs an approval\n/],
  [['permissions', 'test', 'workshop.open', 'text=ab'], 4, /^workshop__open: denied\n/],
  [['permissions', 'list', '--deny', 'nothing'], 2, /^$/],
  [['call', 'workshop.open', 'text=ab'], 4, /^$/],
])('the built command %j ends with status %i [S1-5]', async (args, code, stdout) => {
  const result = await toolbridge([...args, '--mcp', join(place.path, 'mcp.json')], {
    env: { HOME: place.path },
  })
  expect(result).toMatchObject({ code, stdout: expect.stringMatching(stdout) })
})
