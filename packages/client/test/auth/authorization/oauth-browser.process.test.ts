import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type AuthorizationFixture, startAuthorizationFixture } from '@toolbridge/testkit/authorization'
import { openSharedBrowser, type Page, type TestBrowser } from '@toolbridge/testkit/browser'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageClient } from '../fixtures/browser-auth-page.ts'

/** What the page put in place of this one. */
declare const window: {
  use(serverUrl: string, client: PageClient): Promise<string>
  finish(serverUrl: string, client: PageClient): Promise<void>
}

let browser: TestBrowser
let fixture: AuthorizationFixture
let site: { readonly url: string; close(): Promise<void> }
let client: PageClient

beforeAll(async () => {
  ;[browser, fixture, site] = await Promise.all([openSharedBrowser(), startAuthorizationFixture(), serve()])
  client = await register()
})

afterAll(async () => {
  await browser.close()
  await fixture.close()
  await site.close()
})

test('a page sends its person away, is reloaded when they are back, and goes on [C35]', async () => {
  const page = await browser.page()
  await page.goto(site.url)
  expect(await use(page)).toBe('sent away')
  await page.getByLabel('Name').fill('ada')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${site.url}callback?**`)
  await page.evaluate(([serverUrl, known]) => window.finish(serverUrl, known), [
    fixture.resource,
    client,
  ] as const)
  expect(await use(page)).toContain('Hello, page!')
  await page.goto(site.url)
  expect(await use(page)).toContain('Hello, page!')
  expect((await fixture.tokenRequests()).map(({ outcome }) => outcome)).toEqual(['granted'])
})

test('a callback that belongs to another tab is not taken', async () => {
  const page = await browser.page()
  await page.goto(`${site.url}callback?code=stolen&state=of-another-tab`)
  const failure = await page.evaluate(
    ([serverUrl, known]) => window.finish(serverUrl, known).catch((error: unknown) => String(error)),
    [fixture.resource, client] as const,
  )
  expect(failure).toContain('no sign-in with this state was started here')
})

function use(page: Page): Promise<string> {
  return page.evaluate(([serverUrl, known]) => window.use(serverUrl, known), [
    fixture.resource,
    client,
  ] as const)
}

/** As the site's operator would, since this authorization server does not let pages register themselves. */
async function register(): Promise<PageClient> {
  const metadata = {
    redirect_uris: [`${site.url}callback`],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
  }
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(metadata)
  const response = await fetch(`${fixture.issuer}/reg`, { method: 'POST', headers, body })
  const { client_id } = (await response.json()) as { client_id: string }
  return { client_id, issuer: fixture.issuer }
}

/** A site whose every page runs the same script. */
async function serve(): Promise<{ url: string; close(): Promise<void> }> {
  const scripts = await bundle()
  const server = createServer((request, response) => {
    const script = scripts.get((request.url ?? '').slice(1))
    const page = '<link rel="icon" href="data:,"><script type="module" src="/page.js"></script>'
    const type = script === undefined ? 'text/html' : 'text/javascript'
    response.writeHead(200, { 'content-type': type }).end(script ?? page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bundle(): Promise<ReadonlyMap<string, string>> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('../fixtures', import.meta.url)),
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: 'browser-auth-page.ts', output: { entryFileNames: 'page.js' } },
    },
  })
  if (!('output' in built)) throw new Error('the bundler did not answer with one build')
  const chunks = built.output.filter((file) => file.type === 'chunk')
  return new Map(chunks.map(({ fileName, code }) => [fileName, code]))
}
