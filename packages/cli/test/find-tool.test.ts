import { afterAll, beforeAll, expect, test } from 'vitest'
import { workplace, type Workplace, workshop, workshopWith } from './workshop.ts'

let place: Workplace
beforeAll(() => {
  place = workplace({ one: workshop, two: workshopWith('echo') })
})
afterAll(() => place.remove())

test.each(['one__open', 'one.open', 'one/open', 'mcp://one/open', 'open'])(
  'a tool is called by the name %s',
  async (name) => {
    expect(await place.run(['call', name])).toEqual({ code: 0, stdout: '{}\n', stderr: '' })
  },
)

test('a name that several servers have is refused with the names to use', async () => {
  const { code, stderr } = await place.run(['call', 'echo', 'text=ab'])
  expect(code).toBe(2)
  expect(stderr).toContain('"echo" may be several tools: one__echo, two__echo. Use one of these names')
})

test.each([
  ['one__opne', 'one__open'],
  ['one.opem', 'one__open'],
  ['pictur', 'one__picture'],
  ['onee__fail', 'one__fail'],
])('for %s the tool %s is suggested', async (name, nearest) => {
  const { code, stderr } = await place.run(['call', name])
  expect(code).toBe(2)
  expect(stderr).toBe(
    `toolbridge: unknown tool "${name}". Did you mean "${nearest}"? See: toolbridge tools\n`,
  )
})

test.each([
  [['tool'], 'unknown command "tool". Did you mean "tools"?'],
  [['config', 'lits'], 'unknown command "config lits". Did you mean "config list"?'],
  [
    ['list'],
    'unknown command "list". Did you mean "config list" or "permissions list"? See: toolbridge --help',
  ],
  [['trust'], 'unknown command "trust". Did you mean "config trust"?'],
  [['tools', '--formt', 'json'], 'unknown option "--formt". Did you mean "--format"?'],
  [['tools', '--server', 'on'], 'unknown server "on". Did you mean "one"? Configured servers: one, two'],
  [['resources', 'raed'], 'unknown command "resources raed". Did you mean "read"?'],
  [['prompts', 'gte'], 'unknown command "prompts gte". Did you mean "get"?'],
])('%j is a usage error with a suggestion', async (args, message) => {
  const { code, stdout, stderr } = await place.run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})
