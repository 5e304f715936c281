import { expect, test } from 'vitest'
import { openConsole } from './open-console.ts'
import { serverStatus } from './samples.ts'

test('each server is shown with its state, its version and what is wrong with it', async () => {
  await using console = await openConsole({
    prepare: (gateway) => {
      gateway.servers = [
        serverStatus('hello', { scope: 'operator' }),
        serverStatus('weather', {
          state: 'failed',
          error: 'it ended with code 1',
          stderr: ['API_KEY is not set'],
        }),
        serverStatus('defined', {
          report: {
            state: 'on',
            reasons: [{ code: 'not_for_session', message: 'it uses a variable', fix: 'paste the value' }],
            definition: {
              program: { command: 'npx', argumentCount: 2 },
              variables: { missing: [], missingBecomes: 'error', inputs: [], secrets: [] },
              tools: { readOnly: true },
              timeouts: { startMs: 30_000, callMs: 60_000 },
            },
          },
        }),
        serverStatus('kept', { failedReplacement: { error: 'the port is in use', stderr: ['EADDRINUSE'] } }),
      ]
    },
  })
  const { page } = console
  const hello = page.getByRole('listitem', { name: 'hello' })
  await hello.getByText('Ready').waitFor()
  expect(await hello.getByText('hello-server 1.2.0').isVisible()).toBe(true)
  expect(await hello.getByRole('switch').count()).toBe(0)
  const weather = page.getByRole('listitem', { name: 'weather' })
  expect(await weather.getByText('It ended with code 1.').isVisible()).toBe(true)
  expect(await weather.getByText('API_KEY is not set').isVisible()).toBe(false)
  await weather.getByText('Last output').click()
  expect(await weather.getByText('API_KEY is not set').isVisible()).toBe(true)
  const defined = page.getByRole('listitem', { name: 'defined' })
  expect(await defined.getByText('It uses a variable; paste the value.').isVisible()).toBe(true)
  expect(await defined.getByText('read-only tools').isVisible()).toBe(true)
  const kept = page.getByRole('listitem', { name: 'kept' })
  const notice = 'Running the previous definition: the port is in use.'
  expect(await kept.getByText('Ready').isVisible()).toBe(true)
  expect(await kept.getByText(notice).isVisible()).toBe(true)
  expect(await kept.getByRole('button', { name: 'Try again: kept' }).count()).toBe(1)
})

test('a server that failed or went down can be tried again, no matter who defined it', async () => {
  const error = 'it ended with code 1'
  await using console = await openConsole({
    prepare: (gateway) => {
      gateway.servers = [
        serverStatus('house', { scope: 'operator', state: 'failed', error }),
        serverStatus('my/own', { state: 'down', error }),
        serverStatus('well'),
      ]
    },
  })
  const { page, gateway } = console
  await page.getByRole('button', { name: 'Try again: house' }).click()
  await page.getByRole('button', { name: 'Try again: my/own' }).click()
  await expect.poll(() => gateway.restarted).toEqual(['house', 'my/own'])
  expect(await page.getByRole('button', { name: /^Try again/ }).count()).toBe(2)
})

test('messages leave room to scroll the last server out from under them', async () => {
  await using console = await openConsole({
    prepare: (gateway) => {
      const names = Array.from({ length: 20 }, (_, index) => `server-${String(index).padStart(2, '0')}`)
      gateway.servers = names.map((name) => serverStatus(name))
      gateway.saved.push(Object.fromEntries(names.map((name) => [name, { command: 'npx', args: [] }])))
    },
  })
  const { page } = console
  const messages = page.getByRole('listitem').filter({ hasText: 'Server disabled' })
  for (const count of [1, 2, 3]) {
    await page.getByRole('switch', { name: `Use server-0${count}` }).click()
    await expect.poll(() => messages.count()).toBe(count)
  }
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
  const last = await page.getByRole('listitem', { name: 'server-19' }).boundingBox()
  const shown = await messages.first().boundingBox()
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(shown?.y ?? 0)
})

test('a change that the gateway announces is on the page without a reload', async () => {
  await using console = await openConsole()
  const { page, gateway } = console
  await page.getByText('No servers yet').waitFor()
  gateway.servers = [serverStatus('weather', { state: 'starting' })]
  gateway.tell({ type: 'servers' })
  await page.getByRole('listitem', { name: 'weather' }).getByText('Starting').waitFor()
})

test('a saved secret is not shown when its server is edited, and is kept', async () => {
  await using console = await openConsole({
    prepare: (gateway) => {
      gateway.servers = [serverStatus('weather')]
      gateway.saved.push({ weather: { command: 'npx', args: [], env: { API_KEY: 'hush' } } })
    },
  })
  const { page, gateway } = console
  await page.getByRole('button', { name: 'More for weather' }).click()
  await page.getByRole('menuitem', { name: 'Edit as JSON' }).click()
  const editor = page.getByRole('textbox', { name: 'weather as JSON' })
  await editor.getByText('API_KEY').waitFor()
  const text = (await editor.locator('.cm-line').allTextContents()).join('\n')
  expect(text).not.toContain('hush')
  await editor.fill(text.replace('npx', 'node'))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => gateway.saved.at(-1))
    .toEqual({ weather: { command: 'node', args: [], env: { API_KEY: { kept: 1 } } } })
})

test('a secret goes to another host only after the person saw both and agreed', async () => {
  const entry = { url: 'https://a.example/mcp', headers: { Authorization: 'hush' } }
  await using console = await openConsole({
    prepare: (gateway) => {
      gateway.servers = [serverStatus('weather')]
      gateway.saved.push({ weather: entry })
      gateway.destinations = [
        {
          server: 'weather',
          fields: ['/headers/Authorization'],
          from: 'https://a.example',
          to: 'https://b.example',
        },
      ]
    },
  })
  const { page, gateway } = console
  await page.getByRole('button', { name: 'More for weather' }).click()
  await page.getByRole('menuitem', { name: 'Edit as JSON' }).click()
  const editor = page.getByRole('textbox', { name: 'weather as JSON' })
  await editor.getByText('Authorization').waitFor()
  const text = (await editor.locator('.cm-line').allTextContents()).join('\n')
  await editor.fill(text.replace('a.example', 'b.example'))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('from https://a.example').waitFor()
  expect(await page.getByText('to https://b.example').isVisible()).toBe(true)
  expect(gateway.saved).toHaveLength(1)
  await page.getByRole('button', { name: 'Send them there' }).click()
  await expect.poll(() => gateway.saved.at(-1)).toMatchObject({ weather: { url: 'https://b.example/mcp' } })
})

test('a save that somebody else overtook is shown, loses nothing, and can be applied on top', async () => {
  await using console = await openConsole({
    prepare: (gateway) => {
      gateway.servers = [serverStatus('weather')]
      gateway.saved.push({ weather: { command: 'npx', args: [] } })
    },
  })
  const { page, gateway } = console
  await page.getByRole('button', { name: 'More for weather' }).click()
  await page.getByRole('menuitem', { name: 'Edit as JSON' }).click()
  await page.getByRole('textbox', { name: 'weather as JSON' }).fill('{ "command": "node", "args": [] }')
  gateway.saved.push({ weather: { command: 'npx', args: [] }, clock: { url: 'https://clock.example/mcp' } })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Someone else saved in the meantime').waitFor()
  expect(gateway.saved).toHaveLength(2)
  await page.getByRole('button', { name: 'Apply to the current version' }).click()
  await expect
    .poll(() => gateway.saved.at(-1))
    .toEqual({ weather: { command: 'node', args: [] }, clock: { url: 'https://clock.example/mcp' } })
})

test('a server is switched off and on again', async () => {
  await using console = await openConsole({
    prepare: (gateway) => {
      gateway.servers = [serverStatus('weather')]
      gateway.saved.push({ weather: { command: 'npx', args: [] } })
    },
  })
  const { page, gateway } = console
  await page.getByRole('switch', { name: 'Use weather' }).click()
  await expect
    .poll(() => gateway.saved.at(-1))
    .toEqual({ weather: { command: 'npx', args: [], disabled: true } })
  gateway.servers = [serverStatus('weather', { state: 'disabled' })]
  gateway.tell({ type: 'servers' })
  await page.getByRole('switch', { name: 'Use weather', checked: false }).click()
  await expect.poll(() => gateway.saved.at(-1)).toEqual({ weather: { command: 'npx', args: [] } })
})

test('a removed server is back with its secrets after Undo, whatever else was saved since', async () => {
  await using console = await openConsole({
    at: '/servers/weather',
    prepare: (gateway) => {
      gateway.servers = [serverStatus('weather')]
      gateway.saved.push({ weather: { command: 'npx', args: [], env: { KEY: 'secret' } } })
    },
  })
  const { page, gateway } = console
  await page.getByRole('button', { name: 'More for weather' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect.poll(() => gateway.saved.at(-1)).toEqual({})
  await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor()
  gateway.saved.push({ other: { command: 'node' } })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Server restored').first().waitFor()
  expect(gateway.saved.at(-1)).toEqual({
    other: { command: 'node' },
    weather: { command: 'npx', args: [], env: { KEY: { kept: 1 } } },
  })
})

test('a sign-in to a server happens in a window that closes when it is done and cannot reach the page', async () => {
  await using console = await openConsole({
    prepare: (gateway) => {
      gateway.servers = [serverStatus('asking', { state: 'unauthorized', canSignIn: true })]
    },
  })
  const { page, gateway } = console
  const context = page.context()
  // The authorization server agrees at once.
  const callback = `${gateway.url}/oauth-callback?code=c&state=s`
  await context.route('**/api/servers/asking/sign-in', (route) => route.fulfill({ json: { url: callback } }))
  let openers: unknown[] = []
  await context.route('**/api/oauth/callback', async (route) => {
    openers = await Promise.all(context.pages().map((each) => each.evaluate('window.opener')))
    await route.fulfill({ json: { server: 'asking' } })
  })
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Sign in to asking' }).click(),
  ])
  await expect.poll(() => opened.isClosed()).toBe(true)
  expect(openers).toEqual([null, null])
  expect(page.url()).toBe(`${gateway.url}/#/servers`)
  await context.unrouteAll()
})

test('a person signs in only to a server that asks for it, and sees why a sign-in failed', async () => {
  await using console = await openConsole({
    prepare: (gateway) => {
      const error = 'nobody is signed in'
      gateway.servers = [
        serverStatus('asking', { state: 'unauthorized', error, canSignIn: true }),
        serverStatus('refusing', { state: 'unauthorized', error }),
      ]
    },
  })
  const { page } = console
  await page.getByRole('button', { name: 'Sign in to asking' }).waitFor()
  expect(await page.getByRole('button', { name: /^Sign in to/ }).count()).toBe(1)
  await page.goto(`${console.gateway.url}/oauth-callback?code=c&state=s`)
  await page.getByText('The sign-in to the server failed').first().waitFor()
  expect(page.url()).toBe(`${console.gateway.url}/#/servers`)
})
