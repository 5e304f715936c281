import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { events, provider } from '@toolbridge/testkit/models'
import { scriptedInMemory } from '../../../bridge/test/servers/scripted-in-memory.ts'
import { type Workplace, workplace } from '../workshop.ts'
import { callThenAnswer, runWithModel } from './with-model.ts'

let place: Workplace
beforeAll(() => {
  place = workplace()
})
afterAll(() => place.remove())

const json = ['--format', 'json']
const callOpen = callThenAnswer('workshop__open', { text: 'typed' }, 'It is typed.')

describe('--format json', () => {
  test('prints the answer, its end, the number of steps and their tokens', async () => {
    const { code, stdout, stderr } = await runWithModel(place, ['ask', 'Go.', '--yes', ...json], callOpen)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      text: 'It is typed.',
      end: 'answered',
      steps: 2,
      usage: { inputTokens: 20, outputTokens: 10 },
      run: expect.any(String),
    })
  })

  test('with --stream prints one event per line, and then the result', async () => {
    const { code, stdout } = await runWithModel(place, ['ask', 'Go.', '--yes', '--stream', ...json], callOpen)
    expect(code).toBe(0)
    const lines: readonly Record<string, unknown>[] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ type }) => type)).toEqual([
      'step.started',
      'tool.called',
      'tool.finished',
      'step.finished',
      'step.started',
      ...Array.from({ length: 3 }, () => 'text'),
      'step.finished',
      'result',
    ])
    expect(lines[1]).toMatchObject({ tool: 'workshop__open', input: { text: 'typed' } })
    expect(lines[2]).toMatchObject({
      tool: 'workshop__open',
      result: { content: [{ text: '{"text":"typed"}' }] },
    })
    expect(lines.at(-1)).toMatchObject({ text: 'It is typed.', end: 'answered' })
  })

  test('with --stream is not for people', async () => {
    const finished = await runWithModel(place, ['ask', 'Go.', '--stream', '--pretty', ...json], callOpen)
    expect(finished).toMatchObject({ code: 2, stdout: '', requests: [] })
    expect(finished.stderr).toContain('--pretty and --stream cannot be combined')
  })
})

describe('--stream', () => {
  test('prints the answer as it arrives, and each step on lines of its own', async () => {
    const turns = [
      { text: 'I look it up.', calls: [{ tool: 'workshop__open', input: { text: 'typed' } }] },
      { text: 'It is typed.' },
    ]
    const pieces: string[] = []
    const finished = await runWithModel(place, ['ask', 'Go.', '--yes', '--stream'], turns, {
      onOutput: (text) => pieces.push(text),
    })
    expect(finished).toMatchObject({ code: 0, stdout: 'I look it up.\nIt is typed.\n', stderr: '' })
    expect(pieces.length).toBeGreaterThan(3)
    const whole = await runWithModel(place, ['ask', 'Go.', '--yes'], turns)
    expect(whole.stdout).toBe('It is typed.\n')
  })

  test('prints nothing that a terminal obeys, also where it is split between pieces', async () => {
    const pieces = [
      'a\u001b',
      '[31mred\u001b[3',
      '1m b\u202E',
      'c\r',
      '\nd\u001b]0;title\u0007',
      '\ud83d',
      '\ude00',
    ]
    const chunk = (delta: object, finish_reason: string | null): object => ({
      id: '1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    })
    const answer = events(
      ...pieces.map((content) => [undefined, chunk({ content }, null)] as const),
      [undefined, chunk({}, 'stop')],
      [undefined, '[DONE]'],
    )
    await using server = await provider(() => ({ events: answer }))
    const options = ['--model', 'compatible/m', '--base-url', `${server.url}/v1`]
    const expected = 'ared bc\nd]0;title😀\n'
    for (const flags of [['--stream'], []])
      expect(await place.run(['ask', 'Go.', ...flags, ...options])).toEqual({
        code: 0,
        stdout: expected,
        stderr: '',
      })
    const { stdout } = await place.run(['ask', 'Go.', '--stream', ...json, ...options])
    expect(stdout).not.toMatch(/[^\P{C}\n]/u)
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ text: pieces.join('') })
  })
})

describe('limits', () => {
  const callsOnly = () => ({ calls: [{ tool: 'workshop__open', input: { text: 'typed' } }] })

  test.each([
    [['--max-turns', '2'], callsOnly, 'max_steps', 2, '--max-turns'],
    [['--max-tokens', '20'], callsOnly, 'budget', 2, '--max-tokens'],
    [['--max-tokens', '20'], [{ text: 'It', end: 'length' as const }], 'length', 1, '--max-tokens'],
    [[], [{ text: 'It', end: 'length' as const }], 'length', 1, 'its own limit of tokens'],
    [[], [{ text: 'It', end: 'filter' as const }], 'content_filter', 1, 'the provider withheld the answer'],
  ])('%j end a run with exit status 8 and a message', async (limits, turns, end, steps, said) => {
    const { code, stdout, stderr } = await runWithModel(
      place,
      ['ask', 'Go.', '--yes', ...json, ...limits],
      turns,
    )
    expect(code).toBe(8)
    expect(JSON.parse(stdout)).toMatchObject({ end, steps })
    expect(stderr).toMatch(/^toolbridge: [^\n]+\n$/)
    expect(stderr).toContain(said)
  })

  test.each(['0', '-1', '1.5', 'many', ''])(
    'of %j are usage errors, before anything is asked',
    async (count) => {
      for (const option of ['--max-turns', '--max-tokens']) {
        const finished = await runWithModel(place, ['ask', 'Go.', `${option}=${count}`], callOpen)
        expect(finished).toMatchObject({ code: 2, stdout: '', requests: [] })
        expect(finished.stderr).toContain(
          `invalid ${option} "${count}": expected a whole number of at least 1`,
        )
      }
    },
  )
})

describe('--tool-results', () => {
  const shape = (content: string, success = true): object => ({
    tool_name: 'workshop.anything',
    content,
    success,
    metadata: { call_id: expect.any(String), server: 'workshop' },
  })
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
  const text = (value: string): object => ({ type: 'text', text: value })

  /** The shape of a result of a server. */
  async function shapeOf(result: object): Promise<unknown> {
    const tools = [{ name: 'anything', inputSchema: { type: 'object' } }] as const
    const { code, stdout } = await runWithModel(
      place,
      ['ask', 'Go.', '--yes', '--tool-results', ...json],
      callThenAnswer('workshop__anything'),
      { transportOf: scriptedInMemory(tools, () => result) },
    )
    expect(code).toBe(0)
    return JSON.parse(stdout).toolResults
  }

  test('join texts by line breaks [S3-38] [S3-39]', async () => {
    expect(await shapeOf({ content: [text('a'), text('b')] })).toEqual([shape('a\nb')])
  })

  test('keep blocks that are not text as JSON [S3-40]', async () => {
    expect(await shapeOf({ content: [text('a'), image] })).toEqual([shape(`a\n${JSON.stringify(image)}`)])
  })

  test('have structured content as JSON if there are no blocks [S3-41]', async () => {
    const metadata = { call_id: expect.any(String), server: 'workshop', structured_content: { n: 1 } }
    expect(await shapeOf({ content: [], structuredContent: { n: 1 } })).toEqual([
      { ...shape('{"n":1}'), metadata },
    ])
    expect(await shapeOf({ content: [text('a')], structuredContent: { n: 1 } })).toEqual([
      { ...shape('a'), metadata },
    ])
  })

  test('say that a tool failed [S3-38]', async () => {
    expect(await shapeOf({ content: [text('no')], isError: true })).toEqual([shape('no', false)])
  })

  test('name the tool that was called by call_tool', async () => {
    const inputSchema = { type: 'object' } as const
    const tools = Array.from({ length: 10 }, (_, n) => ({
      name: n === 0 ? 'anything' : `other${n}`,
      description: 'a '.repeat(2_000),
      inputSchema,
    }))
    const { requests, stdout } = await runWithModel(
      place,
      ['ask', 'Go.', '--yes', '--tool-results', ...json],
      callThenAnswer('call_tool', { name: 'workshop__anything', arguments: {} }),
      { transportOf: scriptedInMemory(tools, () => ({ content: [text('a')] })) },
    )
    expect(requests[0]?.tools).toContain('call_tool')
    expect(JSON.parse(stdout).toolResults).toEqual([shape('a')])
  })

  test('say why a call was not made, and are lines before the answer as text', async () => {
    const { code, stdout } = await runWithModel(place, ['ask', 'Go.', '--tool-results'], callOpen)
    expect(code).toBe(0)
    const [line = '', ...rest] = stdout.split('\n')
    expect(JSON.parse(line)).toMatchObject({
      tool_name: 'workshop.open',
      content: expect.stringContaining('needs an approval'),
      success: false,
    })
    expect(rest).toEqual(['It is typed.', ''])
  })
})
