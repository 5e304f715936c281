import { expect, test } from 'vitest'
import { splitCommand } from '../src/split-command.ts'

test.each([
  [['tools', '--server', 'run'], 'tools'],
  [['--mcp', 'ask', 'tools'], 'tools'],
  [['--mcp=ask', '--help', 'call', 'agent'], 'call'],
  [['--dialect', 'serve'], undefined],
])('the command of %j is found behind global options and their values', (argv, name) => {
  expect(splitCommand(argv).name).toBe(name)
})

test('everything but the name is left to the command', () => {
  const { rest } = splitCommand(['--mcp', 'mcp.json', 'call', 'hello', '--', 'call'])
  expect(rest).toEqual(['--mcp', 'mcp.json', 'hello', '--', 'call'])
})
