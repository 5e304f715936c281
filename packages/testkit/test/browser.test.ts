import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBrowser, openSharedBrowser, openSharedPage } from '@toolbridge/testkit/browser'
import { expect, test } from 'vitest'

test('a page is rendered with visible text, in a browser that came from npm', async () => {
  await using browser = await openSharedBrowser()
  const page = await browser.page()
  await page.setContent('<h1>Toolbridge</h1>')
  expect(await page.getByRole('heading', { name: 'Toolbridge' }).isVisible()).toBe(true)
  const [withText, withoutText] = [await inkOf('Toolbridge'), await inkOf('')]
  expect(withText).toBeGreaterThan(withoutText)

  async function inkOf(text: string): Promise<number> {
    await page.setContent(`<h1>${text}</h1>`)
    return (await page.screenshot()).byteLength
  }
})

test('what a page complains about is collected', async () => {
  await using browser = await openSharedBrowser()
  const page = await browser.page()
  await page.setContent(
    '<script>console.error("first"); setTimeout(() => { throw new Error("second") })</script>',
  )
  await expect.poll(() => browser.problems).toEqual(['console: first', 'uncaught: second'])
})

test('a request that would leave the machine fails and is reported', async () => {
  await using browser = await openSharedBrowser()
  const page = await browser.page()
  await page.setContent('<img src="http://example.com/picture.png">')
  await expect.poll(() => browser.problems).toEqual([expect.stringContaining('ERR_NAME_NOT_RESOLVED')])
})

test('two pages do not share storage', async () => {
  await using browser = await openSharedBrowser()
  await using site = await startSite()
  const [first, second] = [await browser.page(), await browser.page()]
  await first.goto(site.url)
  await second.goto(site.url)
  await first.evaluate('localStorage.setItem("owner", "first")')
  expect(await second.evaluate('localStorage.getItem("owner")')).toBeNull()
})

test('a shared page has no document, storage, cookies or problems of the test before', async () => {
  await using site = await startSite()
  const before = await openSharedPage()
  await before.page.goto(site.url)
  await before.page.evaluate(
    'localStorage.a = 1, sessionStorage.a = 1, document.cookie = "a=1", console.error("first")',
  )
  await expect.poll(() => before.problems).toContain('console: first')
  await before.close()
  await using after = await openSharedPage()
  expect(after.page.url()).toBe('about:blank')
  await after.page.goto(site.url)
  expect(await after.page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([
    0,
    0,
    '',
  ])
  expect(after.problems).toEqual([])
})

test('closing leaves no process behind, also when it is closed twice', async () => {
  // Another file in the same process may keep a browser of its own.
  const others = new Set(browserProcesses())
  const browser = await openBrowser()
  await browser.page()
  const started = browserProcesses().filter((pid) => !others.has(pid))
  expect(started.length).toBeGreaterThan(1)
  await browser.close()
  await browser.close()
  await expect.poll(() => started.filter((pid) => commandOf(pid).includes('/chromium'))).toEqual([])
})

async function startSite(): Promise<AsyncDisposable & { readonly url: string }> {
  const page = '<link rel="icon" href="data:,"><p>page</p>'
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function browserProcesses(): readonly number[] {
  return descendantsOf(process.pid).filter((pid) => commandOf(pid).includes('/chromium'))
}

function descendantsOf(ancestor: number): readonly number[] {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === ancestor)
  return children.flatMap((pid) => [pid, ...descendantsOf(pid)])
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readOrNothing(`/proc/${pid}/status`))?.[1] ?? 0)
}

function commandOf(pid: number): string {
  return readOrNothing(`/proc/${pid}/cmdline`)
}

/** A process may end between listing it and reading about it. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
