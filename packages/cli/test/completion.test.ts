import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { runInProcess } from './in-process.ts'

const run = promisify(execFile)

describe('in bash', () => {
  let script = ''
  beforeAll(async () => {
    script = (await runInProcess(['completion', 'bash'])).stdout
  })

  /** The words that bash offers for the last of these words, for several command lines in one shell. */
  async function offered(...lines: readonly (readonly string[])[]): Promise<readonly (readonly string[])[]> {
    const asked = lines.map(
      (line) =>
        `COMP_WORDS=(toolbridge ${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length}; _toolbridge; echo "\${COMPREPLY[@]}"`,
    )
    const { stdout } = await run('bash', ['--norc', '-c', `${script}\n${asked.join('\n')}`])
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '))
  }

  test('commands, subcommands and options are completed', async () => {
    const [commands, afterMcp, subcommands, ofSubcommand, values, argument, ofModel, mode] = await offered(
      ['to'],
      ['--mcp', 'tools', 'gen'],
      ['config', 'exp'],
      ['config', 'list', '--for'],
      ['tools', '--format', 'j'],
      ['call', 'hello__hello', '--all'],
      ['ask', 'Why?', '--max'],
      ['agent', '--mode', 'y'],
    )
    expect(commands).toEqual(['tools'])
    expect(afterMcp).toEqual(['generate'])
    expect(subcommands).toEqual(['explain'])
    expect(ofSubcommand).toEqual(['--format'])
    expect(values).toEqual(['json'])
    expect(argument).toContain('--allow-unknown')
    expect(ofModel).toEqual(['--max-turns', '--max-tokens'])
    expect(mode).toEqual(['yolo'])
  })

  test('every command of the help is completed', async () => {
    const { stdout } = await runInProcess(['--help'])
    const listed = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = '']) => name)
    const [commands = []] = await offered([''])
    expect(listed.length).toBeGreaterThan(10)
    expect(commands).toEqual(expect.arrayContaining(listed))
  })
})

// Neither shell is on every machine, so the scripts are checked for the facts that they must have.
test.each([
  ['zsh', ['#compdef toolbridge', `'config list') choices='`, `--format) choices='text json' ;;`]],
  [
    'fish',
    [
      `complete -c toolbridge -n "__toolbridge_command_is ''" -f -a doctor -d '`,
      `complete -c toolbridge -n "__toolbridge_command_is 'config list'" -l format -x -a 'text json'`,
    ],
  ],
])('the script for %s names commands and options', async (shell, facts) => {
  const { code, stdout } = await runInProcess(['completion', shell])
  expect(code).toBe(0)
  for (const fact of facts) expect(stdout).toContain(fact)
})

test('another shell is a usage error with a suggestion', async () => {
  expect(await runInProcess(['completion', 'bsh'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('unknown shell "bsh": expected bash, zsh or fish. Did you mean "bash"?'),
  })
  expect(await runInProcess(['completion'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('missing shell'),
  })
})
