import type { ScriptedModelOptions } from '@toolbridge/testkit/models'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inMemory, linkInMemory } from '../../../bridge/test/servers/in-memory.ts'
import { type Workplace, workplace, workshop } from '../workshop.ts'
import { type FinishedWithModel, runWithModel } from './with-model.ts'

let place: Workplace
beforeAll(() => {
  place = workplace()
})
afterAll(() => place.remove())

const answer = [{ text: 'Done.' }]

/** What the model was sent as the user's words. */
function saidBy({ requests }: FinishedWithModel): readonly unknown[] {
  const messages = requests[0]?.body['messages'] as readonly {
    readonly role: string
    readonly content: unknown
  }[]
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content)
}

describe('the standard input', () => {
  test.each([
    [['Review', 'this.', '-'], 'Review this.\n\n  a\nb'],
    [['-', 'Review this.'], '  a\nb\n\nReview this.'],
    [['-'], '  a\nb'],
  ])('of %j is a paragraph of the question', async (words, expected) => {
    const asked = await runWithModel(place, ['ask', ...words], answer, { input: '  a\nb\n' })
    expect(asked).toMatchObject({ code: 0, stdout: 'Done.\n', stderr: '' })
    expect(saidBy(asked)).toEqual([expected])
  })

  test.each([
    [['-', '-'], 'the standard input can be read only once'],
    [['-'], 'missing question'],
    [[''], 'missing question'],
  ])('of %j, empty, is a usage error', async (words, said) => {
    const asked = await runWithModel(place, ['ask', ...words], answer)
    expect(asked).toMatchObject({ code: 2, stdout: '', requests: [] })
    expect(asked.stderr).toContain(said)
  })
})

describe('of servers', () => {
  test('a resource and a prompt precede the question', async () => {
    const options = ['--resource', 'note://two', '--prompt', 'workshop.review', 'text=this', 'tone=a=b']
    const asked = await runWithModel(place, ['ask', ...options, 'Go', 'on.'], answer)
    expect(asked).toMatchObject({ code: 0, stdout: 'Done.\n' })
    const said = JSON.stringify(saidBy(asked))
    expect(said).toMatch(/This is note:\/\/two\.[^]*Review this, be a=b\.[^]*Go on\./)
  })

  test('a prompt may be all that is asked', async () => {
    const asked = await runWithModel(place, ['ask', '--prompt', 'review', 'text=this'], answer)
    expect(asked.code).toBe(0)
    expect(JSON.stringify(saidBy(asked))).toContain('Review this, be kind.')
  })

  test.each([
    [['--prompt', 'reviw'], 'unknown prompt "reviw". Did you mean "review"?'],
    [['--prompt', 'review', 'tone=kind'], 'invalid arguments for review:'],
    [['--server', 'wrkshop'], 'unknown server "wrkshop". Did you mean "workshop"?'],
    [['--sampling', 'wrkshop'], 'unknown server "wrkshop". Did you mean "workshop"?'],
  ])('%j is a usage error, and the model is not asked', async (options, said) => {
    const asked = await runWithModel(place, ['ask', 'Go.', ...options], answer)
    expect(asked).toMatchObject({ code: 2, stdout: '', requests: [] })
    expect(asked.stderr).toContain(said)
  })

  test('without =, words beside a prompt are the question, and without a prompt so are words with it', async () => {
    const asked = await runWithModel(place, ['ask', 'Solve', 'x=1'], answer)
    expect(saidBy(asked)).toEqual(['Solve x=1'])
  })
})

describe('--sampling', () => {
  const { command, args } = inMemory('worldly')
  const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Hm?' } }], maxTokens: 50 }
  let worldly: Workplace
  beforeAll(() => {
    worldly = workplace({ worldly: { command, args }, workshop })
  })
  afterAll(() => worldly.remove())

  /** The model calls a tool, which asks the model, and then answers. */
  const thinking: ScriptedModelOptions['turns'] = ({ tools, results }) => {
    if (results.length > 0) return { text: 'Done.' }
    return tools.length === 0
      ? { text: 'Roses.' }
      : { calls: [{ tool: 'worldly__think', input: { params } }] }
  }

  /** Returns what the tool was told. */
  async function think(
    ...options: readonly string[]
  ): Promise<{ readonly told: unknown; readonly code: number | null }> {
    const args = ['ask', 'Go.', '--server', 'worldly', ...options]
    const asked = await runWithModel(worldly, args, thinking, { transportOf: linkInMemory })
    return { told: JSON.parse(asked.requests.at(-1)?.results[0] ?? ''), code: asked.code }
  }

  const rules = ['--allow', 'mcp://worldly/*']

  test('lets the named server use the model, once each request is approved', async () => {
    expect(await think('--sampling', 'worldly', ...rules, '--allow', 'sampling:worldly')).toMatchObject({
      code: 0,
      told: { role: 'assistant', content: { type: 'text', text: 'Roses.' } },
    })
    expect(await think('--sampling', 'worldly', ...rules)).toEqual({ code: 0, told: { error: -1 } })
  })

  test('in a chat is answered by the model that the chat has switched to', async () => {
    const allowed = [...rules, '--allow', 'sampling:worldly']
    const args = ['chat', '--server', 'worldly', '--sampling', 'worldly', ...allowed]
    const { stdout, requests } = await runWithModel(worldly, args, thinking, {
      transportOf: linkInMemory,
      input: '/model compatible/other\nGo.\n',
    })
    expect(stdout).toBe('compatible/other\nDone.\n')
    const asked = requests.map(({ body, tools }) => ({
      model: body['model'],
      isSampling: tools.length === 0,
    }))
    expect(asked).toEqual([false, true, false].map((isSampling) => ({ model: 'other', isSampling })))
  })

  test('is off for other servers', async () => {
    const { code, told } = await think(...rules, '--allow', 'sampling:worldly')
    expect({ code, told }).toEqual({ code: 0, told: { error: expect.any(Number) } })
  })
})
