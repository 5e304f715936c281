import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toolbridge } from './transcript.ts'
import { type Workplace, workplace } from './workshop.ts'

let place: Workplace
beforeAll(() => {
  place = workplace()
})
afterAll(() => place.remove())

test.each([
  [['tools', '--filter', 'anything'], 0, /^workshop\n {2}workshop__open\(text\?: string\)\n/],
  [['call', 'workshop.open', '-'], 0, /^\{"text":"typed"\}\n$/],
  [['call', 'workshop.opne'], 2, /^$/],
  [['resources', 'read', 'note://two'], 0, /^This is note:\/\/two\.\n$/],
  [['prompts', 'get', 'review', 'text=@-'], 0, /^user: Review \{"text":"typed"\}, be kind\.\n/],
  [['complete', 'review', 'tone=e'], 0, /^emma\n/],
  [['generate'], 0, /^export function createTools</m],
])('the built command runs %j', async (args, code, stdout) => {
  const result = await toolbridge([...args, '--mcp', join(place.path, 'mcp.json')], {
    env: { HOME: place.path },
    input: '{"text":"typed"}',
  })
  expect(result).toMatchObject({ code, stdout: expect.stringMatching(stdout) })
})
