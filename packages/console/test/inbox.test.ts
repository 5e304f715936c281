import { expect, test } from 'vitest'
import { openConsole } from './open-console.ts'
import { formQuestion } from './samples.ts'

const greeting = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name' },
    excited: { type: 'boolean', title: 'Excited', default: true },
    mood: {
      type: 'string',
      title: 'Mood',
      oneOf: [
        { const: 'g', title: 'Good' },
        { const: 'b', title: 'Bad' },
      ],
    },
  },
  required: ['name'],
}

test('a question that arrives is announced on every page', async () => {
  await using console = await openConsole({ at: '/activity' })
  const { page, gateway } = console
  await page.getByText('No calls yet').waitFor()
  gateway.questions = [formQuestion('q1', greeting)]
  gateway.tell({ type: 'inbox' })
  await page.getByText('A question is waiting for you').waitFor()
  expect(await page.getByRole('link', { name: 'Inbox 1 waiting' }).isVisible()).toBe(true)
  await expect.poll(() => page.title()).toBe('(1) Activity · Toolbridge')
  await page.getByRole('link', { name: 'Answer' }).click()
  await page.getByText('What shall I call you?').waitFor()
})

test('an answer carries the defaults, and the question leaves the page', async () => {
  await using console = await openConsole({
    at: '/inbox',
    prepare: (gateway) => {
      gateway.questions = [formQuestion('q1', greeting)]
    },
  })
  const { page, gateway } = console
  const card = page.getByRole('article', { name: /elicit asks, for elicit__greet_me/ })
  await card.getByRole('button', { name: 'Send answer' }).click()
  await card.getByText('This is required.').waitFor()
  expect(gateway.answers).toEqual([])
  await card.getByRole('textbox', { name: 'Name' }).fill('Ada')
  await card.getByRole('combobox', { name: 'Mood' }).selectOption('Good')
  await page.keyboard.press('Tab')
  await card.getByRole('textbox', { name: 'Name' }).press('Enter')
  await page.getByText('Nothing to answer').waitFor()
  expect(gateway.answers).toEqual([
    { id: 'q1', answer: { action: 'accept', content: { name: 'Ada', excited: true, mood: 'g' } } },
  ])
})

test('what was emptied is not filled in again behind the person’s back', async () => {
  const properties = {
    branch: { type: 'string', title: 'Branch', default: 'main' },
    size: { type: 'string', title: 'Size', enum: ['small', 'large'], default: 'large' },
    parts: { type: 'array', title: 'Parts', items: { enum: ['crust'] }, default: ['crust'] },
    constructor: { type: 'boolean', title: 'Constructor' },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }], title: 'Note', default: null },
  }
  await using console = await openConsole({
    at: '/inbox',
    prepare: (gateway) => {
      gateway.questions = [formQuestion('q1', { type: 'object', properties })]
    },
  })
  const { page, gateway } = console
  await page.getByRole('textbox', { name: 'Branch' }).fill('')
  await page.getByRole('combobox', { name: 'Size' }).selectOption('')
  await page.getByRole('checkbox', { name: 'crust' }).uncheck()
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByText('This is required.').waitFor()
  await page.getByText('Choose one.').waitFor()
  await page.getByRole('textbox', { name: 'Branch' }).fill('next')
  await page.getByRole('combobox', { name: 'Size' }).selectOption('small')
  await page.getByRole('button', { name: 'Send answer' }).click()
  const content = { branch: 'next', size: 'small', parts: [] }
  await expect.poll(() => gateway.answers).toEqual([{ id: 'q1', answer: { action: 'accept', content } }])
})

test('what a person typed survives another question', async () => {
  await using console = await openConsole({
    at: '/inbox',
    prepare: (gateway) => {
      gateway.questions = [formQuestion('q1', greeting)]
    },
  })
  const { page, gateway } = console
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada')
  gateway.questions = [...gateway.questions, { ...formQuestion('q2', greeting), message: 'And your friend?' }]
  gateway.tell({ type: 'inbox' })
  await page.getByText('And your friend?').waitFor()
  expect(await page.getByRole('textbox', { name: 'Name' }).first().inputValue()).toBe('Ada')
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.getByText('No calls yet').waitFor()
  await page.goBack()
  expect(await page.getByRole('textbox', { name: 'Name' }).first().inputValue()).toBe('Ada')
  expect(gateway.answers).toEqual([])
})

test('a question can be declined', async () => {
  await using console = await openConsole({
    at: '/inbox',
    prepare: (gateway) => {
      gateway.questions = [formQuestion('q1', greeting)]
    },
  })
  const { page, gateway } = console
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect.poll(() => gateway.answers).toEqual([{ id: 'q1', answer: { action: 'decline' } }])
})

test('a value that a server needs to start is typed hidden or chosen, and is not sent empty', async () => {
  const commons = { kind: 'input', askedAt: new Date().toISOString(), message: 'Needed to start.' } as const
  await using console = await openConsole({
    at: '/inbox',
    prepare: (gateway) => {
      gateway.questions = [
        { ...commons, id: 'i1', server: 'mail', input: { id: 'password', isSecret: true } },
        {
          ...commons,
          id: 'i2',
          server: 'maps',
          input: { id: 'region', isSecret: false, options: ['eu', 'us'], default: 'us' },
        },
      ]
    },
  })
  const { page, gateway } = console
  const mail = page.getByRole('article', { name: /mail needs a value to start/ })
  const save = mail.getByRole('button', { name: 'Save and start' })
  expect(await save.isDisabled()).toBe(true)
  const password = mail.getByLabel('password')
  expect(await password.getAttribute('type')).toBe('password')
  await password.fill('hush')
  await save.click()
  await mail.waitFor({ state: 'detached' })
  const region = page.getByRole('combobox', { name: 'region' })
  expect(await region.inputValue()).toBe('us')
  await region.selectOption('eu')
  await page.getByRole('button', { name: 'Save and start' }).click()
  await page.getByText('Nothing to answer').waitFor()
  expect(gateway.answers).toEqual([
    { id: 'i1', answer: { action: 'accept', content: { value: 'hush' } } },
    { id: 'i2', answer: { action: 'accept', content: { value: 'eu' } } },
  ])
})

test('an approval shows the whole call, and is allowed or denied', async () => {
  const commons = {
    kind: 'approval',
    askedAt: new Date().toISOString(),
    server: 'files',
    message: 'A call needs your consent.',
  } as const
  await using console = await openConsole({
    at: '/inbox',
    prepare: (gateway) => {
      gateway.questions = [
        {
          ...commons,
          id: 'a1',
          tool: 'files__read',
          detail: 'files__read {"path":"/tmp"}',
          arguments: { text: '{\n  "path": "/tmp"\n}', omitted: 0 },
          decisions: ['once', 'session', 'tool', 'always'],
        },
        {
          ...commons,
          id: 'a2',
          tool: 'files__delete',
          host: 'Zed\u202e',
          detail: 'files__delete {"path":"/"}',
          arguments: { text: '{\n  "path": "/"\n}', omitted: 0 },
          decisions: ['once'],
        },
      ]
    },
  })
  const { page, gateway } = console
  const remove = page.getByRole('article', { name: /Allow files__delete to run on files/ })
  await remove.getByText('from the host Zed⟨U+202E⟩').waitFor()
  expect(await remove.getByText('"path": "/"').count()).toBe(1)
  await remove.getByRole('button', { name: 'Deny' }).click()
  await remove.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('Nothing to answer').waitFor()
  expect(gateway.answers).toEqual([
    { id: 'a2', answer: { action: 'decline' } },
    { id: 'a1', answer: { action: 'accept' } },
  ])
})

test('a page is opened by its button only, its host is shown, and what is not http cannot be opened', async () => {
  const commons = {
    askedAt: new Date().toISOString(),
    message: 'Please confirm.',
    tool: 'bank__pay',
  } as const
  await using console = await openConsole({
    at: '/inbox',
    prepare: (gateway) => {
      const at = `${gateway.url}/confirm?amount=5`
      gateway.questions = [
        {
          ...commons,
          kind: 'url',
          id: 'u1',
          server: 'bank',
          page: { url: at, host: 'bank.example', warnings: ['The address has a port.'] },
        },
        {
          ...commons,
          kind: 'consent',
          id: 'c1',
          server: 'mail',
          page: { url: 'javascript:alert(1)', host: 'mail.example', warnings: [] },
          scopes: ['mail.read'],
        },
      ]
    },
  })
  const { page, gateway } = console
  const bank = page.getByRole('article', { name: /bank asks you to open a page, for bank__pay/ })
  await bank.getByText('The page is at bank.example').waitFor()
  await bank.getByText('The address has a port.').waitFor()
  const mail = page.getByRole('article', { name: /mail needs you to sign in/ })
  await mail.getByText('mail.read').waitFor()
  expect(await mail.getByRole('button', { name: 'Open the sign-in' }).isDisabled()).toBe(true)
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.getByText('No calls yet').waitFor()
  await page.goBack()
  expect(gateway.answers).toEqual([])
  expect(gateway.asked.filter((path) => path.startsWith('/confirm'))).toEqual([])
  const opened = page.context().waitForEvent('page')
  await bank.getByRole('button', { name: 'Open the page' }).click()
  await (await opened).close()
  await bank.waitFor({ state: 'detached' })
  expect(gateway.answers).toEqual([{ id: 'u1', answer: { action: 'accept' } }])
})

test('an approval may go further than one call where the question offers that', async () => {
  await using console = await openConsole({
    at: '/inbox',
    prepare: (gateway) => {
      gateway.questions = (['once', 'always'] as const).map((furthest) => ({
        kind: 'approval',
        askedAt: new Date().toISOString(),
        server: 'files',
        message: 'A call needs your consent.',
        id: furthest,
        tool: `files__${furthest}`,
        detail: 'files__read {}',
        arguments: { text: '{}', omitted: 0 },
        decisions: furthest === 'once' ? ['once'] : ['once', 'session', 'tool', 'always'],
      }))
    },
  })
  const { page, gateway } = console
  const once = page.getByRole('article', { name: /files__once/ })
  await once.getByRole('button', { name: 'Allow once' }).waitFor()
  expect(await once.getByText('Allow more than this call').count()).toBe(0)
  const always = page.getByRole('article', { name: /files__always/ })
  expect(await always.getByRole('button', { name: 'This tool, always' }).isVisible()).toBe(false)
  await always.getByText('Allow more than this call').click()
  await always.getByRole('button', { name: 'This tool, always' }).click()
  await always.waitFor({ state: 'detached' })
  expect(gateway.answers).toEqual([{ id: 'always', answer: { action: 'accept', decision: 'always' } }])
})

test('long arguments can be unfolded to their end, and what is left out is said', async () => {
  const text = JSON.stringify({ lines: [...Array(40).keys()], last: 'rm -rf /' }, null, 2)
  await using console = await openConsole({
    at: '/inbox',
    prepare: (gateway) => {
      gateway.questions = [
        {
          kind: 'approval',
          id: 'a1',
          askedAt: new Date().toISOString(),
          server: 'shell',
          tool: 'shell__run',
          message: 'Allow this call of shell__run?',
          detail: 'shell__run {"lines":[0,1…',
          arguments: { text, omitted: 12_345 },
          decisions: ['once'],
        },
      ]
    },
  })
  const { page } = console
  const all = page.getByRole('region', { name: 'All arguments' })
  await page.getByText('12,345 more characters').waitFor()
  expect(await all.isVisible()).toBe(false)
  await page.getByText('All arguments (').click()
  expect(await all.textContent()).toBe(text)
})

test('an answer that comes too late says so and stays on the page until it is dismissed', async () => {
  await using console = await openConsole({
    at: '/inbox',
    prepare: (gateway) => {
      gateway.questions = [formQuestion('q1', greeting)]
    },
  })
  const { page, gateway } = console
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Ada')
  gateway.questions = []
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByText('Too late', { exact: true }).waitFor()
  await page.getByText('This question is no longer open').waitFor()
  expect(await name.inputValue()).toBe('Ada')
  await page.getByRole('article').getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('Nothing to answer').waitFor()
  await page.reload()
  await page.getByText('Nothing to answer').waitFor()
  expect(await name.count()).toBe(0)
})

test('a typed answer survives a reload and the end of its question, but no secret is stored', async () => {
  const withSecret = { ...greeting.properties, pin: { type: 'string', title: 'PIN', format: 'password' } }
  const secretInput = {
    kind: 'input',
    id: 'i1',
    askedAt: new Date().toISOString(),
    server: 'mail',
    message: 'Needed to start.',
    input: { id: 'password', isSecret: true },
  } as const
  await using console = await openConsole({
    at: '/inbox',
    prepare: (gateway) => {
      gateway.questions = [
        formQuestion('q1', { type: 'object', properties: withSecret }),
        { ...formQuestion('q2', greeting), message: 'And your friend?' },
        secretInput,
      ]
    },
  })
  const { page, gateway } = console
  const asked = page.getByRole('article').filter({ hasText: 'What shall I call you?' })
  const name = asked.getByRole('textbox', { name: 'Name' })
  await name.fill('Ada')
  await asked.getByLabel('PIN').fill('hush-1234')
  await page.getByLabel('password').fill('hush-5678')
  await page.reload()
  await expect.poll(() => name.inputValue()).toBe('Ada')
  expect(await asked.getByLabel('PIN').inputValue()).toBe('')
  expect(await page.getByLabel('password').inputValue()).toBe('')
  const stored = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))
  expect(stored).toContain('Ada')
  expect(stored).not.toContain('hush')

  await name.press('End')
  await page.keyboard.type(' Love')
  gateway.questions = []
  gateway.tell({ type: 'inbox' })
  await asked.getByText('This question is no longer open').waitFor()
  expect(await page.getByRole('article').count()).toBe(1)
  await page.keyboard.type('lace')
  expect(await name.inputValue()).toBe('Ada Lovelace')
  expect(await asked.getByRole('button', { name: 'Send answer' }).isDisabled()).toBe(true)
  await page.reload()
  await expect.poll(() => name.inputValue()).toBe('Ada Lovelace')
  await asked.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('Nothing to answer').waitFor()
  expect(gateway.answers).toEqual([])
})
