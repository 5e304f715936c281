import type { CallToolRequest } from '@toolbridge/api'
import { expect, test } from 'vitest'
import { openConsole } from './open-console.ts'
import { activityEntry, toolSummary } from './samples.ts'
import type { StubGateway } from './stub-gateway.ts'

const pizza = toolSummary(
  'kitchen',
  'order_pizza',
  {
    size: { type: 'string', enum: ['small', 'large'] },
    count: { type: 'integer', minimum: 1, maximum: 5 },
    note: { type: 'string', default: 'please' },
    cheese: { type: 'boolean' },
    address: { type: 'object', properties: { street: { type: 'string' } } },
    toppings: { type: 'array', items: { type: 'string' } },
    extra: {},
  },
  ['size', 'count'],
)

test('tools are grouped by server and found by words of their name or purpose', async () => {
  await using console = await openConsole({
    at: '/tools',
    prepare: (gateway) => {
      gateway.tools = [pizza, toolSummary('hello', 'hello'), toolSummary('hello', 'repeat')]
    },
  })
  const { page } = console
  await page.getByRole('heading', { name: /kitchen/ }).waitFor()
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('what repeat')
  await page.getByRole('link', { name: 'order_pizza' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('link', { name: 'repeat' }).isVisible()).toBe(true)
})

test('a tool that a link opened is in sight in the list, without its Markdown marks', async () => {
  await using console = await openConsole({
    at: '/tools/hello__tool_39',
    prepare: (gateway) => {
      gateway.tools = Array.from({ length: 40 }, (_, index) => ({
        ...toolSummary('hello', `tool_${index}`),
        description: `Tool **${index}** of \`hello\``,
      }))
    },
  })
  const link = console.page.getByRole('link', { name: 'tool_39' })
  await expect.poll(() => link.evaluate(isInSight)).toBe(true)
  expect(await link.getByText('Tool 39 of hello').isVisible()).toBe(true)
})

test('a form is made from the schema, and what it sends has the schema’s types', async () => {
  await using console = await openPizza()
  const { page, gateway } = console
  const calls = recordCalls(gateway)
  await page.getByRole('combobox', { name: 'size' }).selectOption('large')
  await page.getByRole('textbox', { name: 'count' }).fill('2')
  await page.getByRole('checkbox', { name: 'cheese' }).check()
  await page.getByRole('button', { name: 'Add address' }).click()
  await page.getByRole('textbox', { name: 'street' }).fill('Main')
  const addTopping = page.getByRole('button', { name: 'Add item of toppings' })
  for (const topping of ['olives', 'none', 'basil']) {
    await addTopping.click()
    await page
      .getByRole('textbox', { name: /toppings/ })
      .last()
      .fill(topping)
  }
  await page.getByRole('button', { name: 'Remove toppings 2' }).click()
  await page.getByRole('button', { name: 'Run' }).click()
  await expect
    .poll(() => calls)
    .toEqual([
      {
        tool: 'kitchen__order_pizza',
        arguments: {
          size: 'large',
          count: 2,
          note: 'please',
          cheese: true,
          address: { street: 'Main' },
          toppings: ['olives', 'basil'],
        },
      },
    ])
})

test('everything that is wrong is told at once, the first of it has the focus, and nothing is called', async () => {
  await using console = await openPizza()
  const { page, gateway } = console
  const calls = recordCalls(gateway)
  await page.getByRole('textbox', { name: 'count' }).fill('9')
  await page.getByRole('textbox', { name: 'extra' }).fill('{')
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByText('Choose one.').waitFor()
  expect(await page.getByText('Enter 5 or less.').isVisible()).toBe(true)
  expect(await page.getByText('This is not JSON').isVisible()).toBe(true)
  expect(
    await page
      .getByRole('combobox', { name: 'size' })
      .evaluate((control) => control === document.activeElement),
  ).toBe(true)
  expect(calls).toEqual([])
})

test('arguments can be edited as JSON and as a form, and nothing is lost in between', async () => {
  await using console = await openPizza()
  const { page, gateway } = console
  const calls = recordCalls(gateway)
  await page.getByRole('combobox', { name: 'size' }).selectOption('small')
  await page.getByRole('button', { name: 'Edit as JSON' }).click()
  const json = page.getByRole('textbox', { name: 'Arguments as JSON' })
  expect(JSON.parse(await json.inputValue())).toEqual({ size: 'small', note: 'please' })
  await page.getByRole('button', { name: 'Edit as a form' }).click()
  await page.getByRole('textbox', { name: 'count' }).fill('many')
  await page.getByRole('button', { name: 'Edit as JSON' }).click()
  await page.getByRole('button', { name: 'Edit as a form' }).click()
  expect(await page.getByRole('textbox', { name: 'count' }).inputValue()).toBe('many')
  await page.getByRole('button', { name: 'Edit as JSON' }).click()
  await json.fill('{ "size": "large" }')
  await page.getByRole('button', { name: 'Edit as a form' }).click()
  expect(await page.getByRole('textbox', { name: 'count' }).inputValue()).toBe('many')
  await page.getByRole('button', { name: 'Edit as JSON' }).click()
  await json.fill('{ "size": "small", "count": 1, "unknown": true }')
  await page.getByRole('button', { name: 'Edit as a form' }).click()
  await page.getByText('The form has no fields for some of these values.').waitFor()
  await json.fill('{ "size": "large", "count": 3, "toppings": ["olives"] }')
  await page.getByRole('button', { name: 'Edit as a form' }).click()
  expect(await page.getByRole('textbox', { name: 'toppings 1' }).inputValue()).toBe('olives')
  await page.getByRole('button', { name: 'Run' }).click()
  const sent = { size: 'large', count: 3, toppings: ['olives'] }
  await expect.poll(() => calls).toEqual([{ tool: 'kitchen__order_pizza', arguments: sent }])
})

test('what a tool says of itself is Markdown, and its HTML and hidden characters are seen', async () => {
  const description = [
    '# Orders **pizza**',
    '- one',
    '- <img src=x onerror=alert(1)>',
    '[bank](https://evil.example) and [script](javascript:alert(1))',
    'admin\u202etxt',
  ].join('\n\n')
  await using console = await openConsole({
    at: '/tools/kitchen__order_pizza',
    prepare: (gateway) => {
      gateway.tools = [{ ...pizza, description }]
    },
  })
  const tool = console.page.getByRole('article')
  await tool.getByRole('strong').filter({ hasText: 'pizza' }).waitFor()
  expect(await tool.getByRole('listitem').allTextContents()).toEqual(['one', '<img src=x onerror=alert(1)>'])
  expect(
    await tool.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).toEqual(['https://evil.example'])
  const text = await tool.textContent()
  expect(text).toContain('bank (evil.example)')
  expect(text).toContain('admin⟨U+202E⟩txt')
})

test('what was typed outlives a visit to another page, and earlier runs can be used again but for their secrets', async () => {
  const login = toolSummary('bank', 'transfer', {
    to: { type: 'string', description: 'The **IBAN**' },
    pin: { type: 'string', writeOnly: true },
    parts: { type: 'array', minItems: 1, items: { type: 'number' } },
  })
  await using console = await openConsole({
    at: '/tools/bank__transfer',
    prepare: (gateway) => {
      gateway.tools = [{ ...login, hints: { destructive: true } }]
      const entry = activityEntry('run-1', { tool: 'bank__transfer' })
      gateway.activity = [entry, activityEntry('other', { conversation: 'host' })]
      const sent = JSON.stringify({ to: 'Alan', pin: '1234', parts: [1, 2] })
      gateway.traces = {
        'run-1': {
          entry,
          rawName: 'transfer',
          questions: [],
          arguments: { text: sent, omitted: 0 },
          result: { text: '{"content":[]}', omitted: 7 },
          calls: [],
        },
      }
    },
  })
  const { page, gateway } = console
  const calls = recordCalls(gateway)
  await page.getByText('May delete or overwrite', { exact: true }).waitFor()
  await page.getByText('as the server says; not checked').waitFor()
  await page.getByRole('link', { name: /transfer.*may delete or overwrite/ }).waitFor()
  await page.getByRole('strong').filter({ hasText: 'IBAN' }).waitFor()
  await page.getByRole('textbox', { name: 'to' }).fill('Ada')
  await page.getByLabel('pin').fill('1234')
  await page.getByRole('link', { name: 'Inbox' }).click()
  await page.getByText('Nothing to answer').waitFor()
  await page.goBack()
  expect(await page.getByRole('textbox', { name: 'to' }).inputValue()).toBe('Ada')
  expect(await page.getByLabel('pin').getAttribute('type')).toBe('password')

  await page.getByText('Earlier runs').click()
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('7 more characters are not kept.').waitFor()
  expect(await page.getByRole('region', { name: 'Arguments of the run' }).textContent()).not.toContain('1234')
  await page.getByRole('button', { name: 'Use these arguments' }).click()
  expect(await page.getByRole('textbox', { name: 'to' }).inputValue()).toBe('Alan')
  expect(await page.getByLabel('pin').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('The tool returned no content.').waitFor()
  await page.getByRole('button', { name: 'Repeat this call' }).click()
  await expect.poll(() => calls.length).toBe(2)
  expect(calls.map(({ arguments: sent }) => sent)).toEqual(Array(2).fill({ to: 'Alan', parts: [1, 2] }))
})

test('of thousands of tools a part is in the page, more come when they are needed, and each is found', async () => {
  await using console = await openConsole({
    at: '/tools',
    prepare: (gateway) => {
      gateway.tools = Array.from({ length: 5_000 }, (_, index) =>
        toolSummary(`server${index % 50}`, `tool_${index}`),
      )
    },
  })
  const { page } = console
  const rows = page.getByRole('main').getByRole('listitem')
  await rows.first().waitFor()
  const before = await rows.count()
  expect(before).toBeLessThan(200)
  await page.getByRole('button', { name: /Show more \(4,\d+ left\)/ }).scrollIntoViewIfNeeded()
  await expect.poll(() => rows.count()).toBeGreaterThan(before)
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('tool_4999')
  await page.getByRole('link', { name: 'tool_4999' }).click()
  await page.getByRole('heading', { name: 'tool_4999' }).waitFor()
})
function openPizza() {
  return openConsole({
    at: '/tools/kitchen__order_pizza',
    prepare: (gateway) => {
      gateway.tools = [pizza]
    },
  })
}

function recordCalls(gateway: StubGateway): readonly CallToolRequest[] {
  const calls: CallToolRequest[] = []
  gateway.callTool = async (request) => {
    calls.push(request)
    return { content: [] }
  }
  return calls
}

/** Runs in the page. */
function isInSight(element: Element): boolean {
  const { left, top, bottom } = element.getBoundingClientRect()
  return [top + 4, bottom - 4].every((y) => element.contains(document.elementFromPoint(left + 20, y)))
}
