import { PassThrough } from 'node:stream'
import type { Answer } from '@toolbridge/bridge'
import type {
  ApprovalQuestion,
  ConsentQuestion,
  FormQuestion,
  InputQuestion,
  UrlQuestion,
  ShownArguments,
} from '@toolbridge/bridge/questions'
import { terminalAnswerer } from '@toolbridge/bridge/terminal'
import { canary } from '@toolbridge/testkit/secrets'
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

test.each([
  ['Ctrl-D', (desk: Desk) => void desk.input.write('\u0004')],
  ['the end of the input', (desk: Desk) => void desk.input.end()],
])('%s cancels a question instead of leaving it open for ever', async (_name, end) => {
  const desk = new Desk()
  const answerer = terminalAnswerer(desk)
  const answer = answerer.ask(form({ name: { type: 'string', title: 'Name' } }), { signal: never })
  await desk.type(/Name/, 'A')
  end(desk)
  expect(await answer).toEqual({ action: 'cancel' })
  expect(desk.input.listenerCount('end')).toBeLessThan(2)
})

test('a question is cancelled at once when nobody can type any more', async () => {
  const desk = new Desk()
  desk.input.resume().end()
  await expect.poll(() => desk.input.readableEnded).toBe(true)
  const answer = terminalAnswerer(desk).ask(form({ name: { type: 'string' } }), { signal: never })
  expect(await answer).toEqual({ action: 'cancel' })
})

test('a question that is withdrawn after its answer does not disturb the next one', async () => {
  const desk = new Desk()
  const rawModes: boolean[] = []
  Object.assign(desk.input, { isTTY: true, setRawMode: (isRaw: boolean) => rawModes.push(isRaw) })
  const answerer = terminalAnswerer(desk)
  const over = new AbortController()
  const first = answerer.ask(approval({ text: '{}', omitted: 0 }), { signal: over.signal })
  await desk.type(/Allow this call/, enter)
  await first
  const second = answerer.ask(form({ name: { type: 'string', title: 'Name' } }), { signal: never })
  await desk.type(/Name/, '')
  over.abort()
  expect(rawModes.at(-1)).toBe(true)
  desk.input.write(`Ada${enter}`)
  await desk.type(/Send this/, enter)
  expect(await second).toEqual({ action: 'accept', content: { name: 'Ada' } })
})

test('what is shown is what is sent: a default is sent as it is, and what was emptied is not filled in again', async () => {
  const desk = new Desk()
  const long = `first line\nsecond ${'x'.repeat(2_000)}`
  const schema = {
    note: { type: 'string', default: long },
    branch: { type: 'string', default: 'main' },
    count: { type: 'integer', default: 5 },
    notify: { type: 'boolean', default: true },
    parts: { type: 'array', items: { enum: ['a', 'b'] }, default: ['a'] },
  }
  const answer = terminalAnswerer(desk).ask(form(schema), { signal: never })
  await desk.type(/note/, enter)
  await desk.type(/branch/, `\u0015${enter}`)
  await desk.type(/count/, `\u0015${enter}`)
  await desk.type(/value/, `7${enter}`)
  await desk.type(/notify(?![\s\S]*Leave it out)/, down + enter)
  await desk.type(/parts/, ` ${enter}`)
  await desk.type(/Send this/, enter)
  const content = { note: long, branch: '', count: 7, notify: false, parts: [] }
  expect(await answer).toEqual({ action: 'accept', content })
})

test('a field may have a name that every object knows', async () => {
  const desk = new Desk()
  const answer = terminalAnswerer(desk).ask(form({ constructor: { type: 'string' } }), { signal: never })
  await desk.type(/constructor(?![\s\S]*native code)/, `Ada${enter}`)
  await desk.type(/Send this/, enter)
  expect(await answer).toEqual({ action: 'accept', content: { constructor: 'Ada' } })
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
    const question = { ...approval({ text: '{"a":1}', omitted: 0 }), reason: 'rule ask mcp:t' }
    const answer = terminalAnswerer(desk).ask(question, { signal: never })
    await desk.type(
      /A call to server "pizza"[\s\S]*t \{"a":1\}[\s\S]*rule ask mcp:t[\s\S]*Allow this call\?/,
      keys,
    )
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

test('several values, dates, mails and addresses are checked as they are typed', async () => {
  const desk = new Desk()
  const schema = {
    toppings: {
      type: 'array',
      minItems: 1,
      items: {
        anyOf: [
          { const: 'c', title: 'Cheese' },
          { const: 'h', title: 'Ham' },
        ],
      },
      default: ['h'],
    },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    mail: { type: 'string', format: 'email' },
    page: { type: 'string', format: 'uri' },
    weight: { type: 'number', maximum: 2.5 },
  }
  const answer = terminalAnswerer(desk).ask(form(schema, Object.keys(schema)), { signal: never })
  await desk.type(/Cheese[\s\S]*Ham/, ` ${enter}`)
  await desk.type(/day/, `2026-02-30${enter}`)
  await desk.type(/must match format "date"/, `${'\u007f'.repeat(2)}28${enter}`)
  await desk.type(/at/, `2026-02-28T10:00:00Z${enter}`)
  await desk.type(/mail/, `ada${enter}`)
  await desk.type(/must match format "email"/, `@example.org${enter}`)
  await desk.type(/page/, `https://example.org${enter}`)
  await desk.type(/weight/, `2.6${enter}`)
  await desk.type(/must be <= 2.5/, `\u007f5${enter}`)
  await desk.type(/Send this/, enter)
  expect(await answer).toEqual({
    action: 'accept',
    content: {
      toppings: ['h', 'c'],
      day: '2026-02-28',
      at: '2026-02-28T10:00:00Z',
      mail: 'ada@example.org',
      page: 'https://example.org',
      weight: 2.5,
    },
  })
})

test('an approval that may hold for longer lets the person choose for how long', async () => {
  const question = { ...approval({ text: '{}', omitted: 0 }), decisions: ['once', 'tool', 'always'] as const }
  const answers: Answer[] = []
  for (const keys of [enter, down + enter, down + down + down + enter, controlC]) {
    const desk = new Desk()
    const answer = terminalAnswerer(desk).ask(question, { signal: never })
    await desk.type(/Refuse[\s\S]*Allow it once[\s\S]*Allow this tool from now on/, keys)
    answers.push(await answer)
  }
  expect(answers).toEqual([
    { action: 'decline' },
    { action: 'accept', decision: 'once' },
    { action: 'accept', decision: 'always' },
    { action: 'cancel' },
  ])
})

const page: UrlQuestion = {
  ...commons,
  kind: 'url',
  message: 'Pay here',
  url: 'https://xn--pple-43d.example/pay?order=1',
  host: 'xn--pple-43d.example',
  warnings: ['the host is written with letters that may look like others'],
}

test('an address is shown in full, with its host and what is odd, before it is opened', async () => {
  const opened: string[] = []
  const openUrl = async (url: URL): Promise<boolean> => {
    opened.push(url.href)
    return true
  }
  const answers: Answer[] = []
  for (const keys of [enter, escape, down + enter]) {
    const desk = new Desk()
    const answer = terminalAnswerer({ input: desk.input, output: desk.output, openUrl }).ask(page, {
      signal: never,
    })
    await desk.type(
      /server "pizza" asks you to open[\s\S]*Pay here[\s\S]*Host: +xn--pple-43d.example[\s\S]*Address: https:[\s\S]*order=1[\s\S]*Careful: [\s\S]*Go to xn--pple-43d.example/,
      keys,
    )
    answers.push(await answer)
  }
  expect(answers.map(({ action }) => action)).toEqual(['decline', 'cancel', 'accept'])
  expect(opened).toEqual([page.url])
})

test('an address that cannot be opened is left to the person', async () => {
  const desk = new Desk()
  const consent: ConsentQuestion = { ...page, kind: 'consent', scopes: ['read', 'write'], warnings: [] }
  const answer = terminalAnswerer({
    input: desk.input,
    output: desk.output,
    openUrl: async () => false,
  }).ask(consent, { signal: never })
  await desk.type(
    /Sign in to server "pizza"[\s\S]*to be allowed:[\s\S]*read[\s\S]*write[\s\S]*Go to/,
    down + enter,
  )
  expect(await answer).toEqual({ action: 'accept' })
  expect(desk.raw).toMatch(/Open this address in a browser/)
})

function input(given: Partial<InputQuestion['input']>): InputQuestion {
  return {
    ...commons,
    kind: 'input',
    message: 'a value',
    input: { id: 'i', description: 'Your key', ...given },
  }
}

test('an input is typed, hidden when it is a secret, or chosen', async () => {
  const ask = (question: InputQuestion): readonly [Desk, Promise<Answer>] => {
    const desk = new Desk()
    return [desk, terminalAnswerer(desk).ask(question, { signal: never })]
  }
  const [plain, typed] = ask(input({ default: 'eu' }))
  await plain.type(/server "pizza" needs Your key[\s\S]*eu/, `-1${enter}`)
  expect(await typed).toEqual({ action: 'accept', content: { value: 'eu-1' } })
  const [hidden, secret] = ask(input({ isSecret: true }))
  // It would be kept, and never asked for again.
  await hidden.type(/Your key/, enter)
  await hidden.type(/must have a value/, `${canary('typed')}${enter}`)
  expect(await secret).toEqual({ action: 'accept', content: { value: canary('typed') } })
  expect(hidden.raw).not.toContain(canary('typed'))
  const [list, chosen] = ask(input({ options: ['a', 'b'] }))
  await list.type(/a[\s\S]*b/, down + enter)
  expect(await chosen).toEqual({ action: 'accept', content: { value: 'b' } })
  const [left, nothing] = ask(input({}))
  await left.type(/Your key/, escape)
  expect(await nothing).toEqual({ action: 'cancel' })
})
