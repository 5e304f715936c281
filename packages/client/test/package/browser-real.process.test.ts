import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openSharedBrowser, type Page, type TestBrowser } from '@toolbridge/testkit/browser'
import { startHttpFixture, startWebSocketFixture } from '@toolbridge/testkit/servers'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { connectMcp } from '../../src/index.ts'

type Files = ReadonlyMap<string, string>

/** What the page put in place of this one. */
declare const window: { connectMcp: typeof connectMcp }

const opened: { close(): Promise<void> }[] = []
let files: Files
let firstDownload: readonly string[]
let browser: TestBrowser
let page: Page

beforeAll(async () => {
  ;[{ files, firstDownload }, browser] = await Promise.all([
    bundle({ withLoader: true }),
    openSharedBrowser(),
  ])
  const site = await serve(files)
  page = await browser.page()
  await page.goto(site.url)
  afterAll(async () => {
    await browser.close()
    await site.close()
  })
})

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
  // The console shows each refusal, also the one by which a server of the handshake era is found out.
  expect(browser.problems.filter((problem) => !problem.includes('Failed to load resource'))).toEqual([])
})

test('what a page downloads of the client to connect, list and call over HTTP is at most 14 KiB', async () => {
  const { files: parts, firstDownload: first } = await bundle({ withLoader: false })
  expect(downloadSize(parts, first)).toBeLessThanOrEqual(14 * 1024)
})

test('with what Vite itself adds to a page that loads anything later, it is at most 15 KiB', () => {
  process.stdout.write(
    `first download: ${(downloadSize(files, firstDownload) / 1024).toFixed(1)} KiB gzip in ${firstDownload.length} files\n`,
  )
  expect(downloadSize(files, firstDownload)).toBeLessThanOrEqual(15 * 1024)
})

test('nothing in the bundle imports a module of Node', () => {
  for (const code of files.values()) expect(code).not.toMatch(/(?:from|import|require\()\s*["'`]node:/)
})

test.each([
  ['events', {}],
  ['JSON', { json: true }],
])(
  'a page lists and calls a server of the handshake era that answers with %s [S4-4] [C35]',
  async (_title, options) => {
    const { url } = await started(startHttpFixture('hello', options))
    const outcome = await page.evaluate(async (address) => {
      const connection = await window.connectMcp({ url: address })
      const { content } = await connection.client.callTool('hello', { name: 'page' })
      await connection.close()
      return { tools: connection.tools.map(({ definition }) => definition.name), content }
    }, url)
    expect(outcome).toMatchObject({ content: [{ type: 'text', text: 'Hello, page!' }] })
    expect(outcome.tools).toContain('hello')
  },
)

test('a page answers a question inside the stream of its own call', async () => {
  const { url } = await started(startHttpFixture('elicit'))
  const content = await page.evaluate(async (address) => {
    const connection = await window.connectMcp(
      { url: address },
      { onElicitation: async () => ({ action: 'accept', content: { name: 'Ada' } }) },
    )
    const result = await connection.client.callTool('greet_me')
    await connection.close()
    return result.content
  }, url)
  expect(content).toMatchObject([{ text: 'Hello, Ada!' }])
})

test('a page speaks to a server of the era without a handshake', async () => {
  const { url } = await started(startHttpFixture('modern', { era: 'modern' }))
  const outcome = await page.evaluate(async (address) => {
    const connection = await window.connectMcp({ url: address })
    const { protocolVersion } = connection.client.info ?? {}
    await connection.close()
    return { protocolVersion, tools: connection.tools.length }
  }, url)
  expect(outcome.protocolVersion).toBe('2026-07-28')
  expect(outcome.tools).toBeGreaterThan(0)
})

test('a page speaks over its own WebSocket [S4-4]', async () => {
  const { url } = await started(startWebSocketFixture())
  const name = await page.evaluate(async (address) => {
    const connection = await window.connectMcp({ url: address }, { era: 'legacy' })
    await connection.close()
    return connection.serverInfo.name
  }, url)
  expect(name).toBe('elicit')
})

test('a page is told clearly that it cannot start a program [S4-133]', async () => {
  const error = await page.evaluate(async () => {
    const reason: unknown = await window.connectMcp({ command: 'sh' }).catch((cause: unknown) => cause)
    return reason instanceof Error ? reason.message : ''
  })
  expect(error).toContain('in a browser, reach servers by their URL')
})

interface Bundle {
  readonly files: Files
  readonly firstDownload: readonly string[]
}

/**
 * The page's scripts by name, and those that it downloads before anything else happens; as a page of Vite's, or without
 * the loader that Vite puts around imports that happen later.
 */
async function bundle({ withLoader }: { readonly withLoader: boolean }): Promise<Bundle> {
  const entry = 'browser-page.ts'
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('.', import.meta.url)),
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      modulePreload: false,
      ...(withLoader ? {} : { lib: { entry, formats: ['es'] } }),
      rolldownOptions: {
        ...(withLoader ? { input: entry } : {}),
        output: { entryFileNames: 'page.js', minify: true },
      },
    },
  })
  const [output] = [built].flat()
  if (output === undefined || !('output' in output)) throw new Error('the bundler built nothing')
  const chunks = output.output.filter((file) => file.type === 'chunk')
  const first = ['page.js']
  for (const name of first) {
    const imports = chunks.find(({ fileName }) => fileName === name)?.imports ?? []
    first.push(...imports.filter((file) => !first.includes(file)))
  }
  return { files: new Map(chunks.map(({ fileName, code }) => [fileName, code])), firstDownload: first }
}

function downloadSize(scripts: Files, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + gzipSync(scripts.get(name) ?? '', { level: 9 }).length, 0)
}

async function serve(scripts: Files): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const script = scripts.get((request.url ?? '').slice(1))
    if (script !== undefined) response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<script type="module" src="/page.js"></script>')
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

async function started<Fixture extends { close(): Promise<void> }>(
  starting: Promise<Fixture>,
): Promise<Fixture> {
  const fixture = await starting
  opened.push(fixture)
  return fixture
}
