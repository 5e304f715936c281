import { expect, test } from 'vitest'
import { sandboxFrom } from '../src/sandbox-options.ts'

test('the sandbox and the allowed commands are split into words like in a shell', () => {
  expect(sandboxFrom({})).toBeUndefined()
  expect(
    sandboxFrom({
      'sandbox-command': 'setpriv --reuid=tools --',
      'allow-command': ['npx -y tavily-mcp', `/opt/notes --title 'my notes'`],
      'allow-env': ['TAVILY_API_KEY'],
    }),
  ).toEqual({
    command: ['setpriv', '--reuid=tools', '--'],
    allow: [
      ['npx', '-y', 'tavily-mcp'],
      ['/opt/notes', '--title', 'my notes'],
    ],
    env: ['TAVILY_API_KEY'],
  })
})

const sandbox = { 'sandbox-command': 'setpriv --reuid=tools --' }

test.each([
  ['a sandbox without commands', sandbox, '--sandbox-command needs --allow-command.'],
  ['commands without a sandbox', { 'allow-command': ['npx x'] }, '--allow-command needs --sandbox-command.'],
  ['a variable alone', { 'allow-env': ['KEY'] }, '--allow-env needs --sandbox-command and --allow-command.'],
  ['an open quote', { ...sandbox, 'allow-command': ['npx "x'] }, 'invalid --allow-command: a quote'],
  ['an operator', { ...sandbox, 'allow-command': ['npx x | tee log'] }, 'invalid --allow-command: no shell'],
])('%s is refused', (_what, options, message) => {
  expect(() => sandboxFrom(options)).toThrow(message)
})
