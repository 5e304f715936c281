import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type CreateKeyResponse, paths } from '@toolbridge/api'
import { openSharedPage } from '@toolbridge/testkit/browser'
import { build, type Rollup } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { listenTestGateway } from '../../gateway/test/support/listening.ts'
import { openTestLockbox } from '../../gateway/test/support/lockbox.ts'
import { inMemory } from '../../gateway/test/support/specs.ts'

const app = fileURLToPath(new URL('../../../examples/react-app/', import.meta.url))

test('an application on another origin uses the hooks against a real gateway [S2-57] [S2-58]', async () => {
  const built = await buildApp()
  expect(serverModules(built)).toEqual([])
  await using site = await serve(built)
  const lockbox = await openTestLockbox()
  onTestFinished(() => lockbox.close())
  await using listening = await listenTestGateway({
    lockbox,
    operatorServers: [inMemory('hello'), inMemory('elicit')],
    allowedOrigins: [site.origin],
  })
  const owner = listening.gateway.as('local')
  await owner.post(paths.config, {
    mcpServers: { clock: { url: 'https://clock.example/mcp', disabled: true } },
  })
  const created = await owner.post(paths.keys, { name: 'app', scopes: ['api'] })
  const { token }: CreateKeyResponse = await created.json()

  const shared = await openSharedPage()
  const { page } = shared
  await page.goto(site.origin)
  await page.getByRole('textbox', { name: 'Gateway' }).fill(listening.url)
  await page.getByLabel('Key').fill(token)
  await page.getByRole('button', { name: 'Connect' }).click()

  await page.getByText('hello is ready').waitFor()
  await page.getByRole('button', { name: 'Call hello__hello' }).click()
  await page.getByText(/^hello__hello: /).waitFor()
  await page.getByRole('button', { name: 'Call elicit__greet_me' }).click()
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByText(/^elicit__greet_me: /).waitFor()

  const saved = async () => Object.keys((await (await owner.get(paths.config)).json()).mcpServers)
  await page.getByRole('button', { name: 'Remove clock' }).click()
  await expect.poll(saved).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(saved).toEqual(['clock'])
  await shared.close()
  expect(shared.problems).toEqual([])
})

async function buildApp(): Promise<Rollup.RollupOutput> {
  const built = await build({
    root: app,
    logLevel: 'error',
    configFile: false,
    resolve: { conditions: ['@toolbridge/source', 'module', 'browser', 'development|production'] },
    build: { write: false },
  })
  if (Array.isArray(built) || !('output' in built)) throw new TypeError('the application has one output')
  return built
}

/** Modules of Node or of packages that run on a server. */
function serverModules({ output }: Rollup.RollupOutput): readonly string[] {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  return modules.filter((id) => /^node:|vite-browser-external|\/packages\/(?!api\/|react\/)/.test(id))
}

async function serve({
  output,
}: Rollup.RollupOutput): Promise<AsyncDisposable & { readonly origin: string }> {
  const files = new Map(
    output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
  )
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    const file = files.get(path)
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html')
    response.writeHead(file === undefined ? 404 : 200).end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
