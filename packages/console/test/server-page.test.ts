import type { DoctorFinding } from '@toolbridge/api'
import { expect, test } from 'vitest'
import { openConsole } from './open-console.ts'
import { serverStatus, toolSummary } from './samples.ts'

function finding(stage: string, changes: Partial<DoctorFinding> = {}): DoctorFinding {
  return { server: 'weather', stage, outcome: 'ok', code: 'ok', seen: `${stage} was seen`, ...changes }
}

test('the page of a server is reached from the list and lists its tools, each with a link', async () => {
  await using console = await openConsole({
    prepare: (gateway) => {
      gateway.servers = [serverStatus('my/own'), serverStatus('other')]
      gateway.tools = [toolSummary('my/own', 'forecast'), toolSummary('other', 'elsewhere')]
    },
  })
  const { page } = console
  await page.getByRole('link', { name: 'my/own' }).click()
  await page.getByRole('heading', { name: 'my/own', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'forecast' }).click()
  await page.getByRole('button', { name: 'Run' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'my/own', level: 1 }).waitFor()
  expect(await page.getByText('elsewhere').count()).toBe(0)
})

test('a check shows each stage as it happens, what to do, and which stages were not reached', async () => {
  await using console = await openConsole({
    at: '/servers/weather',
    prepare: (gateway) => {
      gateway.servers = [serverStatus('weather')]
      gateway.diagnosis = [{ type: 'finding', finding: finding('binary') }]
    },
  })
  const { page, gateway } = console
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const stages = page.getByRole('list', { name: 'Stages' })
  await stages.getByText('Binary was seen.').waitFor()
  await page.getByText('Checking').waitFor()
  await page.getByRole('button', { name: 'Stop the check' }).click()
  await page.getByText('Not completed').waitFor()
  expect(await page.getByText('The check could not be completed').count()).toBe(0)
  const crash = { outcome: 'error', code: 'crashed_at_start', fix: 'set API_KEY' } as const
  gateway.diagnosis = [
    { type: 'finding', finding: finding('spawn') },
    { type: 'finding', finding: finding('first-byte', { ...crash, stderr: ['API_KEY\u202e is not set'] }) },
    { type: 'finding', finding: finding('list', { outcome: 'skipped', code: 'not_reached' }) },
    { type: 'done', outcome: 'error' },
  ]
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('A stage failed').waitFor()
  expect(await stages.getByRole('listitem').count()).toBe(2)
  expect(await stages.getByText('Set API_KEY.').isVisible()).toBe(true)
  expect(await stages.getByText('API_KEY⟨U+202E⟩ is not set').isVisible()).toBe(true)
  expect(await page.getByText('Not reached: Tools.').isVisible()).toBe(true)
})

test('a name that no server has is explained', async () => {
  await using console = await openConsole({ at: '/servers/gone' })
  await console.page.getByText('There is no server of this name').waitFor()
})

test('the log of a server grows while the page is open, and a message is opened to be read', async () => {
  const at = new Date().toISOString()
  const message = { at, connection: 1, direction: 'sent', bytes: 60, id: 3 } as const
  await using console = await openConsole({
    at: '/servers/weather',
    prepare: (gateway) => {
      gateway.servers = [serverStatus('weather', { restarts: 2 })]
      gateway.saved.push({ weather: { command: 'npx', args: ['-y', 'weather'], env: { KEY: 'secret' } } })
      gateway.log = {
        history: [{ number: 1, at, event: 'down', error: 'it ended with code 1' }],
        stderr: [{ number: 2, text: 'listening\u202e' }],
        messages: [],
      }
    },
  })
  const { page, gateway } = console
  const history = page.getByRole('list', { name: 'History' })
  await history.getByText('It ended with code 1.').waitFor()
  expect(await page.getByText('Restarted automatically 2 times.').isVisible()).toBe(true)
  expect(await page.getByText('npx -y weather').isVisible()).toBe(true)
  expect(await page.getByText('KEY: ••••••').isVisible()).toBe(true)
  const output = page.getByRole('region', { name: 'Standard error of weather' })
  expect(await output.textContent()).toBe('listening⟨U+202E⟩')
  gateway.tellLog({
    history: [{ number: 3, at, event: 'ready' }],
    stderr: [{ number: 4, at, text: 'called' }],
    messages: [
      { ...message, number: 5, method: 'tools/call', text: '{"method":"tools/call"}' },
      { ...message, number: 6, direction: 'received', text: '{"result":{"said":"<b>yes</b>"}}' },
    ],
  })
  await history.getByText('Became ready').waitFor()
  expect(await output.textContent()).toBe('listening⟨U+202E⟩\ncalled')
  const messages = page.getByRole('list', { name: 'Messages' })
  expect(await messages.getByRole('listitem').allTextContents()).toEqual([
    expect.stringContaining('Answer to tools/call'),
    expect.stringContaining('tools/call'),
  ])
  await page.getByRole('button', { name: 'Pause' }).click()
  gateway.tellLog({ messages: [{ ...message, number: 7, method: 'ping', text: '{}' }] })
  await messages.getByText('Answer to tools/call').click()
  await messages.getByText('"said": "<b>yes</b>"').waitFor()
  expect(await messages.getByRole('listitem').count()).toBe(2)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => messages.getByRole('listitem').count()).toBe(3)
})

test('a server is renamed from its page, which goes on under the new name', async () => {
  await using console = await openConsole({
    at: '/servers/weather',
    prepare: (gateway) => {
      gateway.servers = [serverStatus('weather')]
      gateway.saved.push({ weather: { command: 'npx', env: { KEY: 'secret' } } })
    },
  })
  const { page, gateway } = console
  await page.getByRole('button', { name: 'More for weather' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const field = page.getByRole('textbox', { name: 'New name' })
  gateway.servers = [serverStatus('rain')]
  await field.fill('rain')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'rain', level: 1 }).waitFor()
  expect(gateway.saved.at(-1)).toEqual({ rain: { command: 'npx', env: { KEY: 'secret' } } })
})

test('a person sees the account of a server on its page, and signs out of it', async () => {
  await using console = await openConsole({
    at: '/servers/notes',
    prepare: (gateway) => {
      gateway.servers = [serverStatus('notes')]
      const account = { id: '1', origin: 'https://notes.example', issuer: 'https://sign-in.example' }
      gateway.credentials = {
        accounts: [
          { ...account, servers: ['notes'] },
          { ...account, id: '2', issuer: 'https://other.example', servers: ['other'] },
        ],
        inputs: [{ server: 'notes', id: 'token' }],
      }
    },
  })
  const { page } = console
  await page.getByText('Signed in at https://sign-in.example').waitFor()
  expect(await page.getByText('https://other.example').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Forget the value for token' }).isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Sign out of notes' }).click()
  await page.getByText('Signed in at').waitFor({ state: 'detached' })
})
