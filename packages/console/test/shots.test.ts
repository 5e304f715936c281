import { openBrowser } from '@toolbridge/testkit/browser'
import { test } from 'vitest'
import { activityEntry, formQuestion, serverStatus, toolSummary } from './samples.ts'
import { startStubGateway } from './stub-gateway.ts'

const png =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAKElEQVR4nGNgYPhPIiJZw6gGhv///5OsYVQDw38SNYxqGNUwqoF6GgC8hP8BdGuhPQAAAABJRU5ErkJggg=='

test('shots', async () => {
  await using gateway = await startStubGateway()
  await using browser = await openBrowser()
  const demo = () => {
    gateway.servers = [
      serverStatus('hello', { scope: 'operator', toolCount: 2, startedInMs: 88 }),
      serverStatus('everything', {
        scope: 'operator',
        toolCount: 13,
        serverInfo: { name: 'mcp-servers/everything', version: '2.0.0' },
        startedInMs: 1240,
      }),
      serverStatus('elicit', { toolCount: 3 }),
      serverStatus('docs', {
        transport: 'http',
        state: 'starting',
        toolCount: 0,
        serverInfo: undefined as never,
        protocolVersion: undefined as never,
        startedInMs: undefined as never,
      }),
      serverStatus('weather', {
        state: 'failed',
        toolCount: 0,
        serverInfo: undefined as never,
        protocolVersion: undefined as never,
        startedInMs: undefined as never,
        error: 'the process ended with exit code 1 before it answered',
        stderr: [
          '> weather-mcp@1.0.3',
          'Error: API_KEY is not set',
          '    at main (/usr/lib/weather/index.js:12:9)',
        ],
      }),
      serverStatus('archive', {
        state: 'disabled',
        transport: 'http',
        toolCount: 0,
        serverInfo: undefined as never,
        protocolVersion: undefined as never,
        startedInMs: undefined as never,
      }),
    ]
    gateway.tools = [
      toolSummary('elicit', 'greet_me'),
      toolSummary(
        'elicit',
        'order_pizza',
        {
          size: { type: 'string', enum: ['small', 'medium', 'large'], description: 'How hungry are you?' },
          count: { type: 'integer', minimum: 1, maximum: 5, default: 1, description: 'How many.' },
          note: { type: 'string', description: 'Anything the kitchen should know' },
          extra_cheese: { type: 'boolean', default: true },
          address: { type: 'object', properties: {} },
        },
        ['size', 'count'],
      ),
      toolSummary('hello', 'hello', { name: { type: 'string' } }),
      toolSummary(
        'hello',
        'repeat',
        { text: { type: 'string' }, count: { type: 'integer', minimum: 1, maximum: 5, default: 2 } },
        ['text'],
      ),
      toolSummary('everything', 'get-tiny-image'),
    ]
    gateway.activity = [
      activityEntry('5', { at: new Date(Date.now() - 4_000).toISOString() }),
      activityEntry('4', {
        outcome: 'tool_error',
        tool: 'elicit__order_pizza',
        server: 'elicit',
        latencyMs: 8120,
        error: 'the oven is cold',
        at: new Date(Date.now() - 70_000).toISOString(),
      }),
      activityEntry('3', {
        outcome: 'denied',
        tool: 'everything__get-env',
        server: 'everything',
        conversation: 'Claude Code',
        latencyMs: 2,
        at: new Date(Date.now() - 4_000_000).toISOString(),
      }),
      activityEntry('2', {
        outcome: 'failed',
        tool: 'weather__forecast',
        server: 'weather',
        latencyMs: 30_000,
        error: 'the server did not answer within 30 s',
        conversation: 'workflow nightly-report',
        at: new Date(Date.now() - 8_000_000).toISOString(),
      }),
      activityEntry('1', {
        outcome: 'cancelled',
        latencyMs: 640,
        at: new Date(Date.now() - 90_000_000).toISOString(),
      }),
    ]
    gateway.questions = []
  }
  const only = process.env['SHOTS']
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [width, height] of [
      [1280, 800],
      [360, 740],
    ] as const) {
      demo()
      const page = await browser.page({ colorScheme, viewport: { width, height } })
      const shot = async (name: string, fullPage = true) => {
        if (only && !name.includes(only)) return
        await page.waitForTimeout(300)
        await page.screenshot({
          path: `/tmp/console-work/shots/${name}-${colorScheme}-${width}.png`,
          fullPage,
        })
      }
      await page.goto(gateway.url)
      await shot('signed-out')
      await page.evaluate("sessionStorage.setItem('toolbridge.bearer', 'bearer-of-the-stub')")
      await page.goto(`${gateway.url}/#/servers`)
      await page.reload()
      await page.getByText('Failed').waitFor()
      await page.getByText('What it wrote last').click()
      await shot('servers')
      await page.getByRole('button', { name: 'Add servers' }).click()
      await page.getByRole('textbox', { name: 'Servers as JSON' }).waitFor()
      await shot('add-empty', false)
      await page
        .getByRole('textbox', { name: 'Servers as JSON' })
        .fill(
          '{\n  "mcpServers": {\n    "weather": { "command": "npx" "args": [] },\n    "docs": { "url": "nowhere" }\n  }\n}',
        )
      await shot('add-broken', false)
      await page.keyboard.press('Escape')
      gateway.saved.length = 0
      gateway.saved.push({
        weather: { command: 'npx', args: ['-y', 'weather-mcp'], env: { API_KEY: 'hush' } },
      })
      await page.getByRole('button', { name: 'More for weather' }).click()
      await shot('menu', false)
      await page.getByRole('menuitem', { name: 'Edit as JSON' }).click()
      await page.getByRole('textbox', { name: 'weather as JSON' }).waitFor()
      await shot('edit', false)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'More for weather' }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await shot('remove', false)
      await page.getByRole('button', { name: 'Keep it' }).click()
      await page.getByRole('link', { name: 'Tools' }).click()
      await shot('tools')
      await page.getByRole('link', { name: 'order_pizza' }).click()
      await page.getByRole('button', { name: 'Run' }).click()
      await shot('tool-invalid')
      gateway.callTool = async () => ({
        isError: false,
        structuredContent: { order: { id: 17, size: 'large' } },
        content: [
          { type: 'text', text: 'Ordered 1 large pizza.' },
          { type: 'image', data: png, mimeType: 'image/png' },
          { type: 'resource_link', uri: 'file:///orders/17', name: 'order 17' },
        ],
      })
      await page.getByLabel('size').selectOption('large')
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByText('Ordered 1').waitFor()
      await shot('tool-result')
      gateway.callTool = async () => ({
        isError: true,
        content: [{ type: 'text', text: 'the oven is cold' }],
      })
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByText('the oven is cold').waitFor()
      await shot('tool-error')
      gateway.callTool = (_request, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('left'))))
      await page.goto(`${gateway.url}/#/tools/elicit__greet_me`)
      await page.getByRole('button', { name: 'Run' }).click()
      gateway.questions = [
        formQuestion('q1', {
          type: 'object',
          properties: {
            name: { type: 'string', title: 'Name', description: 'As you like to be called' },
            excited: { type: 'boolean', title: 'Excited', default: true },
          },
          required: ['name'],
        }),
        {
          id: 'q2',
          kind: 'approval',
          askedAt: new Date(Date.now() - 130_000).toISOString(),
          server: 'everything',
          tool: 'everything__get-env',
          message: 'Claude Code wants to call a tool for the first time.',
          detail: 'everything__get-env {"names":["PATH","HOME"]}',
        },
      ]
      gateway.tell({ type: 'inbox' })
      await page.getByRole('button', { name: 'Send answer' }).waitFor()
      await shot('tool-running')
      await page.getByRole('link', { name: /Inbox/ }).click()
      await shot('inbox')
      gateway.questions = []
      gateway.tell({ type: 'inbox' })
      await page.getByText('Nobody is waiting').waitFor()
      await shot('inbox-empty')
      await page.getByRole('link', { name: /Activity/ }).click()
      await shot('activity')
      await page.close()
    }
  }
  console.log(browser.problems)
}, 120_000)
