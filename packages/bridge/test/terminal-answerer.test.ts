import { PassThrough } from 'node:stream'
import type { Answer, ApprovalQuestion, FormQuestion, ShownArguments } from '@toolbridge/bridge'
import { terminalAnswerer } from '@toolbridge/bridge/terminal'
import { expect, test } from 'vitest'

const [enter, down, left, controlC, escape] = ['\r', '\u001b[B', '\u001b[D', '\u0003', '\u001b']
const never = new AbortController().signal
const commons = { id: '1', origin: { principal: 'p', conversation: 'c' }, server: 'pizza' }

function form(properties: object, required: readonly string[] = []): FormQuestion {
  return {
    ...commons,
    kind: 'form',
    message: 'Details, please',
    schema: { type: 'object', properties, required },
  }
}

/** The two ends of a terminal: what a person types goes in, what they see comes out. */
class Desk {
  readonly input: PassThrough = new PassThrough()
  readonly output: PassThrough = new PassThrough()
  #shown = ''

  constructor() {
    this.output.on('data', (chunk) => {
      this.#shown += String(chunk)
    })
  }

  get raw(): string {
    return this.#shown
  }

  /** Waits until something is shown that was not before, then types. */
  async type(expected: RegExp, keys: string): Promise<void> {
    await expect.poll(() => this.#shown.replaceAll(/\p{Cc}\[[0-9;?]*[A-Za-z]/gu, '')).toMatch(expected)
    this.#shown = ''
    this.input.write(keys)
  }
}

test('a form is asked field by field, each value checked, and sent after a last look', async () => {
  const desk = new Desk()
  const schema = {
    name: { type: 'string', minLength: 2, title: 'Name' },
    count: { type: 'integer', minimum: 1, default: 2 },
    size: {
      type: 'string',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
    },
    gift: { type: 'boolean' },
  }
  const answer = terminalAnswerer(desk).ask(form(schema, ['name', 'size']), { signal: never })
  await desk.type(/server "pizza" asks[\s\S]*Details, please[\s\S]*Name/, `A${enter}`)
  await desk.type(/fewer than 2 characters/, `da${enter}`)
  await desk.type(/count/, enter)
  await desk.type(/Small[\s\S]*Large/, down + enter)
  await desk.type(/gift[\s\S]*Leave it out/, enter)
  await desk.type(/Send this to server "pizza"/, enter)
  expect(await answer).toEqual({ action: 'accept', content: { name: 'Ada', count: 2, size: 'l' } })
})

test('an answer can be changed before it is sent, and declined at last', async () => {
  const desk = new Desk()
  const answer = terminalAnswerer(desk).ask(form({ name: { type: 'string', title: 'Name' } }), {
    signal: never,
  })
  await desk.type(/Name/, `Ada${enter}`)
  await desk.type(/Change it/, down + enter)
  await desk.type(/Name[\s\S]*Ada/, `!${enter}`)
  await desk.type(/Ada![\s\S]*Send/, down + down + enter)
  expect(await answer).toEqual({ action: 'decline' })
})

test.each([
  ['Ctrl-C', controlC, 1],
  ['Escape', escape, 0],
])('%s cancels a question, and only Ctrl-C interrupts', async (_name, key, interruptions) => {
  let count = 0
  const desk = new Desk()
  const onInterrupt = (): void => void (count += 1)
  const answerer = terminalAnswerer({ input: desk.input, output: desk.output, onInterrupt })
  const answer = answerer.ask(form({ name: { type: 'string', title: 'Name' } }), { signal: never })
  await desk.type(/Name/, key)
  expect(await answer).toEqual({ action: 'cancel' })
  expect(count).toBe(interruptions)
  expect(desk.input.listenerCount('keypress')).toBe(0)
})

function approval(args: ShownArguments): ApprovalQuestion {
  return { ...commons, kind: 'approval', tool: 't', message: '', detail: 't …', arguments: args }
}

test('an approval shows the whole call, however long, and says what is left out', async () => {
  const desk = new Desk()
  const lines = Array.from({ length: 300 }, (_unused, index) => `  "key${index}": "harmless",`)
  const text = ['{', ...lines, '  "last": "rm -rf \u202E/"', '}'].join('\n')
  const answer = terminalAnswerer(desk).ask(approval({ text, omitted: 12 }), { signal: never })
  await desk.type(/key299[\s\S]*"rm -rf \/"[\s\S]*and 12 more characters[\s\S]*Allow this call\?/, enter)
  expect(await answer).toEqual({ action: 'decline' })
})

test('an approval shows the call and is refused unless somebody allows it', async () => {
  const answers: Answer[] = []
  for (const keys of [enter, left + enter, controlC]) {
    const desk = new Desk()
    const question = approval({ text: '{"a":1}', omitted: 0 })
    const answer = terminalAnswerer(desk).ask(question, { signal: never })
    await desk.type(/A call to server "pizza"[\s\S]*t \{"a":1\}[\s\S]*Allow this call\?/, keys)
    answers.push(await answer)
  }
  expect(answers.map(({ action }) => action)).toEqual(['decline', 'accept', 'cancel'])
})

test('an approval of a tool that has changed, or of one call only, says so', async () => {
  const question = { ...approval({ text: '{}', omitted: 0 }), message: 'Is it still what you want?' }
  const unusual = [
    { ...question, change: '- Reads\n+ Writes' },
    { ...question, decisions: ['once'] as const },
  ]
  for (const [index, shown] of [/still what[\s\S]*- Reads[\s\S]*\+ Writes/, /still what/].entries()) {
    const desk = new Desk()
    const answer = terminalAnswerer(desk).ask(unusual[index] ?? question, { signal: never })
    await desk.type(new RegExp(`${shown.source}[\\s\\S]*Allow this call\\?`), enter)
    expect(await answer).toEqual({ action: 'decline' })
  }
})

test('one question is asked at a time, and a withdrawn one makes room for the next', async () => {
  const desk = new Desk()
  const answerer = terminalAnswerer(desk)
  const controller = new AbortController()
  const first = answerer.ask(form({ one: { type: 'string' } }), { signal: controller.signal })
  const second = answerer.ask(form({ two: { type: 'string' } }), { signal: never })
  await expect.poll(() => desk.raw).toMatch(/one/)
  expect(desk.raw).not.toMatch(/two/)
  controller.abort(new Error('withdrawn'))
  await expect(first).rejects.toThrow('withdrawn')
  await desk.type(/two/, `x${enter}`)
  await desk.type(/Send/, enter)
  expect(await second).toEqual({ action: 'accept', content: { two: 'x' } })
})

test("a server's text cannot steer the terminal", async () => {
  const desk = new Desk()
  const nasty = '\u001b[2J\u001b]0;title\u0007\u202Etxt\u009b31m'
  const question = {
    ...form({ name: { type: 'string', title: nasty, description: nasty } }),
    message: nasty,
    server: nasty,
  }
  const answer = terminalAnswerer(desk).ask(question, { signal: never })
  await expect.poll(() => desk.raw).toMatch(/optional/)
  for (const sign of ['\u001b[2J', '\u001b]', '\u0007', '\u202E', '\u009b'])
    expect(desk.raw).not.toContain(sign)
  await desk.type(/optional/, controlC)
  await answer
})
