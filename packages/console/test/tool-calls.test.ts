import { expect, test } from 'vitest'
import { openConsole } from './open-console.ts'
import { formQuestion, toolSummary } from './samples.ts'
import type { StubGateway } from './stub-gateway.ts'

test('lists of objects are tables, files can be saved, and the raw result is one click away', async () => {
  await using console = await openRunning((gateway) => {
    gateway.callTool = async () => ({
      content: [
        { type: 'text', text: '# A title' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        {
          type: 'resource',
          resource: { uri: 'file:///report.pdf', blob: 'AAAA', mimeType: 'application/pdf' },
        },
      ],
      structuredContent: { rows: [{ name: 'Ada', age: 36 }, { name: 'Alan' }] },
    })
  })
  const outcome = console.page.getByRole('region', { name: 'Outcome' })
  await outcome.getByRole('cell', { name: 'Ada' }).waitFor()
  expect(await outcome.getByRole('columnheader').allTextContents()).toEqual(['name', 'age'])
  expect(await outcome.getByRole('link', { name: 'Download' }).last().getAttribute('download')).toBe(
    'report.pdf',
  )
  await outcome.getByRole('button', { name: 'Show as Markdown' }).click()
  await outcome.getByRole('button', { name: 'Show as text' }).waitFor()
  await outcome.getByRole('button', { name: 'Raw JSON' }).click()
  await outcome.getByText('"structuredContent"').waitFor()
})

test('of a result of 1 MiB the beginning is in the page, and more of it on demand', async () => {
  const long = 'long '.repeat(210_000)
  await using console = await openRunning((gateway) => {
    gateway.callTool = async () => ({
      content: [{ type: 'text', text: long }],
      structuredContent: { rows: [{ cell: long }] },
    })
  })
  const { page } = console
  const lengthOf = async (name: string): Promise<number> =>
    (await page.getByRole('region', { name }).textContent())?.length ?? 0
  expect(await lengthOf('Text')).toBe(20_000)
  expect(await lengthOf('Structured content')).toBeLessThan(2_000)
  await page.getByRole('button', { name: 'Show more (1,030,000 characters left)' }).click()
  await expect.poll(() => lengthOf('Text')).toBe(70_000)
  await page.getByRole('button', { name: 'Raw JSON' }).click()
  expect(await lengthOf('Raw result')).toBe(20_000)
})

test('text, pictures and structured content are shown, and markup from a server stays text', async () => {
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await using console = await openRunning((gateway) => {
    gateway.callTool = async () => ({
      content: [
        { type: 'text', text: '<img src=x onerror=alert(1)>' },
        { type: 'image', data: pixel, mimeType: 'image/png' },
      ],
      structuredContent: { answer: 42 },
    })
  })
  const { page } = console
  const outcome = page.getByRole('region', { name: 'Outcome' })
  await outcome.getByText('<img src=x onerror=alert(1)>').waitFor()
  const picture = outcome.getByRole('img', { name: 'Returned by the tool' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  expect(await outcome.getByText('"answer": 42').isVisible()).toBe(true)
})

test('a failure that the tool reports is marked as one', async () => {
  await using console = await openRunning((gateway) => {
    gateway.callTool = async () => ({ isError: true, content: [{ type: 'text', text: 'the oven is cold' }] })
  })
  await console.page.getByText('The tool reported an error').waitFor()
})

test('a running call can be cancelled, which reaches the gateway', async () => {
  const cancelled = new AbortController()
  await using console = await openRunning((gateway) => {
    gateway.callTool = (_request, signal) => {
      signal.addEventListener('abort', () => cancelled.abort())
      return new Promise(() => undefined)
    }
  })
  const { page } = console
  await page.getByText('Running').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('region', { name: 'Outcome' }).getByText('Cancelled').waitFor()
  await expect.poll(() => cancelled.signal.aborted).toBe(true)
})

test('a call that asks something is answered where it runs, and its result survives a visit to another page', async () => {
  let answered = (): void => undefined
  await using console = await openRunning((gateway) => {
    gateway.callTool = () =>
      new Promise((resolve) => {
        answered = () => resolve({ content: [{ type: 'text', text: 'Hello, Ada!' }] })
      })
  }, 'elicit__greet_me')
  const { page, gateway } = console
  gateway.questions = [
    formQuestion('q1', { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }),
  ]
  gateway.tell({ type: 'inbox' })
  await page.getByRole('textbox', { name: 'name' }).fill('Ada')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect
    .poll(() => gateway.answers)
    .toEqual([{ id: 'q1', answer: { action: 'accept', content: { name: 'Ada' } } }])
  await page.getByRole('link', { name: 'Activity' }).click()
  answered()
  await page.goBack()
  await page.getByText('Hello, Ada!').waitFor()
})

test('a page that is loaded again finds its running call, with its progress and log, and shows the result', async () => {
  let finish = (): void => undefined
  await using console = await openRunning((gateway) => {
    gateway.callTool = () =>
      new Promise((resolve) => {
        finish = () => resolve({ content: [{ type: 'text', text: 'Hello, Ada!' }] })
      })
  })
  const { page, gateway } = console
  await page.getByText('Running').waitFor()
  const at = new Date().toISOString()
  gateway.calls.report({ progress: 2, total: 5, message: 'Heating\u202e' }, [
    { at, level: 'warning', logger: 'oven', message: 'the door is <b>open</b>' },
  ])
  await page.getByRole('progressbar', { name: /Heating⟨U\+202E⟩ 2 of 5/ }).waitFor()
  await page.getByRole('log', { name: 'Log of the server' }).getByText('the door is <b>open</b>').waitFor()
  await page.reload()
  await page.getByRole('progressbar', { name: /2 of 5/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true)
  expect(gateway.calls.list.map(({ state }) => state)).toEqual(['running'])
  finish()
  await page.getByText('Hello, Ada!').waitFor()
  await page.reload()
  await page.getByText('Hello, Ada!').waitFor()

  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByText('Running').waitFor()
  gateway.calls.forget()
  gateway.hangUp()
  await page.getByText('The gateway ended the call').waitFor()
  expect(await page.getByRole('button', { name: 'Run' }).isEnabled()).toBe(true)
})

/** Opens a tool without arguments and runs it. */
async function openRunning(prepare: (gateway: StubGateway) => void, name = 'hello__hello') {
  const console = await openConsole({
    at: `/tools/${name}`,
    prepare: (gateway) => {
      gateway.tools = [toolSummary('hello', 'hello'), toolSummary('elicit', 'greet_me')]
      prepare(gateway)
    },
  })
  await console.page.getByRole('button', { name: 'Run' }).click()
  return console
}
