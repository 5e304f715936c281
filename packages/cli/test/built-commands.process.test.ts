import { join } from 'node:path'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Finished, toolbridge } from './transcript.ts'
import { type Workplace, workplace } from './workshop.ts'

let place: Workplace
beforeAll(() => {
  place = workplace()
})
afterAll(() => place.remove())

async function run(...args: readonly string[]): Promise<Finished> {
  return toolbridge([...args, '--mcp', join(place.path, 'mcp.json')], {
    env: { HOME: place.path },
    input: '{"text":"typed"}',
  })
}

test.each([
  [['tools', '--filter', 'anything'], 0, /^workshop\n {2}workshop__open\(text\?: string\)\n/],
  [['call', 'workshop.open', '-'], 0, /^\{"text":"typed"\}\n$/],
  [['call', 'workshop.opne'], 2, /^$/],
  [['resources', 'read', 'note://two'], 0, /^This is note:\/\/two\.\n$/],
  [['prompts', 'get', 'review', 'text=@-'], 0, /^user: Review \{"text":"typed"\}, be kind\.\n/],
  [['complete', 'review', 'tone=e'], 0, /^emma\n/],
  [['generate'], 0, /^export function createTools</m],
  [['permissions', 'list'], 0, /allow/],
])('the built command runs %j', async (args, code, stdout) => {
  expect(await run(...args)).toMatchObject({ code, stdout: expect.stringMatching(stdout) })
})

test('messages of a program are traced too', async () => {
  const { stderr } = await run('call', 'workshop.open', 'text=ab', '--trace')
  expect(stderr).toMatch(/^→ workshop \{"jsonrpc":"2\.0","id":\d+,"method":"tools\/call",.*"text":"ab"/m)
  expect(stderr).toContain('the key is [redacted]')
  expect(stderr).not.toContain(canary('environment'))
})
