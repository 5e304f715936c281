import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelShape } from '@toolbridge/testkit/models'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scriptedInMemory } from '../../../bridge/test/servers/scripted-in-memory.ts'
import { put, useFolder } from '../folders.ts'
import { runInProcess } from '../in-process.ts'
import { crashing } from '../servers.ts'
import { linkWorkshop, type Workplace, workplace, workshop } from '../workshop.ts'
import { callThenAnswer, type FinishedWithModel, runWithModel, type WithModelOptions } from './with-model.ts'

let place: Workplace
beforeAll(() => {
  place = workplace({ workshop, crashing })
})
afterAll(() => place.remove())

const folder = useFolder()
const onlyWorkshop = ['--server', 'workshop']
const callOpen = callThenAnswer('workshop__open', { text: 'typed' })
const answer = [{ text: 'Done.' }]

/** Runs a command line that starts the workshop only. */
function ask(
  args: readonly string[],
  turns: Parameters<typeof runWithModel>[2] = callOpen,
  options: WithModelOptions = {},
): Promise<FinishedWithModel> {
  return runWithModel(place, [...args, ...onlyWorkshop], turns, options)
}

describe('the model', () => {
  const shapes: readonly ModelShape[] = ['openai', 'anthropic', 'google', 'mistral', 'xai', 'compatible']

  test.each(shapes)('of %s calls a tool, gets its result, and answers', async (shape) => {
    const { requests, ...finished } = await ask(['ask', 'Go', 'on.', '--yes'], callOpen, { shape })
    expect(finished).toEqual({ code: 0, stdout: 'Done.\n', stderr: '' })
    expect(requests.map(({ tools }) => tools.includes('workshop__open'))).toEqual([true, true])
    expect(JSON.stringify(requests[0]?.body)).toContain('Go on.')
    expect(requests[1]?.results).toEqual([expect.stringContaining('typed')])
  })

  const others = (['openai', 'anthropic', 'google'] as const).flatMap((shape) =>
    (['agent', 'chat'] as const).map((command) => [shape, command] as const),
  )

  test.each(others)('of %s does so for %s', async (shape, command) => {
    const { code, stdout, requests } = await ask([command, 'Go', 'on.', '--yes'], callOpen, {
      shape,
      input: '',
    })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' })
    expect(requests[1]?.results).toEqual([expect.stringContaining('typed')])
  })

  test('is told of a tool that failed, and goes on', async () => {
    const { code, stdout, stderr, requests } = await ask(
      ['ask', 'Go.', '--yes'],
      callThenAnswer('workshop__fail'),
    )
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Done.\n', stderr: '' })
    expect(requests[1]?.results).toEqual([expect.stringContaining('broken')])
  })

  test('is told that a tool does not exist, and goes on', async () => {
    const finished = await ask(['ask', 'Go.'], callThenAnswer('workshop__nothing'))
    expect(finished).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(finished.requests[1]?.results).toEqual([expect.stringContaining('workshop__nothing')])
  })
})

describe('approvals', () => {
  test('are missing without a terminal: the call is not made, the user is told how, and the model goes on', async () => {
    const { code, stdout, stderr, requests } = await ask(['ask', 'Go.'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' })
    expect(stderr).toMatch(/^✗ workshop__open needs an approval .*Run the command at a terminal to answer/)
    expect(stderr).toMatch(/, or approve the call with --yes or --allow <rule>\n$/)
    expect(requests[1]?.results).toEqual([expect.stringContaining('needs an approval')])
  })

  test.each([
    [['--yes'], true],
    [['--allow', 'mcp://workshop/op*'], true],
    [['--mode', 'allow'], true],
    [['--mode', 'yolo'], true],
    [['--allow', 'mcp://workshop/echo'], false],
    [['--yes', '--deny', 'mcp://workshop/open'], false],
    [['--yes', '--mode', 'plan'], false],
    [['--mode', 'allow', '--ask', 'mcp://workshop/open'], false],
  ])('follow %j: the call is made: %j', async (options, isMade) => {
    const { code, requests } = await ask(['ask', 'Go.', ...options])
    expect({ code, results: requests[1]?.results }).toEqual({
      code: 0,
      results: [isMade ? expect.stringContaining('typed') : expect.not.stringContaining('typed')],
    })
  })

  test('that a rule of the project forbids are not given by --yes', async () => {
    const file = put(folder.path, '.toolbridge/mcp.json', { mcpServers: { workshop } })
    put(folder.path, '.toolbridge/permissions.json', { deny: ['mcp://workshop/open'] })
    const here = placeOf(folder.path)
    const finished = await runWithModel(here, ['ask', 'Go.', '--yes', '--mcp', file], callOpen)
    expect(finished.stderr).toMatch(/^✗ .*workshop__open.*mcp:\/\/workshop\/open/)
    expect(finished.requests[1]?.results).toEqual([expect.not.stringContaining('typed')])
  })
})

describe('--tool', () => {
  test.each(['ask', 'agent', 'agent --name react'])(
    'lets the model of %s use only the named tools [S3-23]',
    async (command) => {
      const tools = ['--tool', 'workshop.open', '--tool', 'mcp://workshop/echo']
      const { code, requests } = await ask([...command.split(' '), 'Go.', ...tools], answer)
      expect(code).toBe(0)
      expect(requests[0]?.tools.filter((name) => name.startsWith('workshop'))).toEqual([
        'workshop__echo',
        'workshop__open',
      ])
    },
  )

  test('that does not exist is a usage error with a suggestion, and no request is made', async () => {
    const { requests, ...finished } = await ask(['ask', 'Go.', '--tool', 'workshop.opne'])
    expect(finished).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'toolbridge: unknown tool "workshop.opne". Did you mean "workshop__open"? See: toolbridge tools\n',
    })
    expect(requests).toEqual([])
  })

  test('of a server that did not start is a failure of that server', async () => {
    const finished = await runWithModel(place, ['ask', 'Go.', '--tool', 'crashing.hello'], answer)
    expect(finished).toMatchObject({ code: 3, stdout: '', requests: [] })
    expect(finished.stderr).toMatch(/^crashing: [^]*no server that started has the tool "crashing\.hello"/)
  })
})

describe('servers', () => {
  test('that do not start are named, and the model works with the others', async () => {
    const finished = await runWithModel(place, ['ask', 'Go.', '--yes'], callOpen)
    expect(finished).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(finished.stderr).toMatch(/^crashing: /)
    expect(finished.requests[1]?.results).toEqual([expect.stringContaining('typed')])
  })

  test('are those of --mcp, before or after the command [S3-1]', async () => {
    const file = put(folder.path, 'named.json', { mcpServers: { named: workshop } })
    const here = placeOf(folder.path)
    for (const command of ['ask', 'agent'])
      for (const words of [
        ['--mcp', file, command, 'Go.'],
        [command, 'Go.', '--mcp', file],
      ]) {
        const { code, requests } = await runWithModel(here, words, answer)
        expect({ code, tools: requests[0]?.tools }).toEqual({
          code: 0,
          tools: expect.arrayContaining(['named__open']),
        })
      }
  })

  test('of .yaaf/mcp.json are used where the command runs, with names such as docs.lookup [S3-7] [S3-22] [S3-23]', async () => {
    put(folder.path, '.yaaf/mcp.json', { servers: { docs: { type: 'stdio', command: 'docs' } } })
    const lookup = { name: 'lookup', inputSchema: { type: 'object' } } as const
    const transportOf = scriptedInMemory([lookup], () => ({ content: [{ type: 'text', text: 'found' }] }))
    const here = placeOf(folder.path, transportOf)
    expect((await here.run(['config', 'trust', '--yes'])).code).toBe(0)
    const args = ['ask', 'Go.', '--yes', '--tool', 'docs.lookup', '--tool-results', '--format', 'json']
    const { code, stdout } = await runWithModel(here, args, ({ tools, results }) =>
      results.length > 0 ? { text: 'Done.' } : { calls: [{ tool: tools[0] ?? '' }] },
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      text: 'Done.',
      toolResults: [{ tool_name: 'docs.lookup', content: 'found', success: true }],
    })
  })

  test('are not needed: without a configuration the model answers without tools [S3-4]', async () => {
    const here = placeOf(folder.path)
    const { requests, ...finished } = await runWithModel(here, ['ask', 'Go.'], answer)
    expect(finished).toEqual({ code: 0, stdout: 'Done.\n', stderr: '' })
    expect(requests[0]?.tools).toEqual([])
    const refused = await runWithModel(here, ['ask', 'Go.', '--tool', 'docs.lookup'], answer)
    expect(refused).toMatchObject({ code: 6, requests: [] })
    expect(refused.stderr).toContain('no MCP configuration found')
  })
})

describe('the task', () => {
  test('of an agent has instructions before those of the user', async () => {
    const { requests } = await ask(['agent', 'Go.', '--system', 'Be brief.'], answer)
    expect(requests[0]?.body['messages']).toMatchObject([
      { role: 'system', content: expect.stringMatching(/tools[^]*\n\nBe brief\.$/) },
      { role: 'user', content: 'Go.' },
    ])
  })

  test('is for a known agent', async () => {
    expect(await ask(['agent', 'Go.', '--name', 'raect'])).toMatchObject({
      code: 2,
      stderr: 'toolbridge: unknown agent "raect". Did you mean "react"? Agents: react\n',
      requests: [],
    })
  })

  test('shows its calls on stderr, shortened and without control characters', async () => {
    const long = callThenAnswer('workshop__open', { text: `\u202E${'x'.repeat(1000)}` })
    const { stderr } = await ask(['agent', 'Go.', '--yes'], long)
    expect(stderr).toMatch(/^→ workshop__open \{"text":"x+…\n$/)
    expect(stderr.length).toBeLessThan(310)
  })

  test.each(['ask', 'agent'])('of %s is not missing', async (command) => {
    const finished = await ask([command])
    expect(finished).toMatchObject({ code: 2, stdout: '', requests: [] })
    expect(finished.stderr).toMatch(new RegExp(`^toolbridge: missing .*Example: toolbridge ${command} "`))
  })
})

/** A folder with its own home, in which commands run without a flag. */
function placeOf(path: string, transportOf = linkWorkshop): Pick<Workplace, 'run'> {
  return {
    run: (args, options) =>
      runInProcess(args, {
        cwd: path,
        transportOf,
        ...options,
        env: { HOME: join(path, 'home'), ...options?.env },
      }),
  }
}

test('the help names every option, and keys only by their variables', async () => {
  const { stdout } = await runInProcess(['ask', '--help'])
  const source = readFileSync(new URL('../../src/commands/agent-options.ts', import.meta.url), 'utf8')
  const [, table = ''] = /agentOptions: OptionTable = \{([^]*?)\n\}/.exec(source) ?? []
  const names = [...table.matchAll(/^ {2}'?([\w-]+)'?: /gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of [...names, 'tool-results', 'allow', 'mode']) expect(stdout).toContain(`--${name} `)
  for (const key of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY']) expect(stdout).toContain(key)
})
