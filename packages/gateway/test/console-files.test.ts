import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paths } from '@toolbridge/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'

const lockbox = await openFileLockbox()
let folder: string
let gateway: TestGateway
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'))
  const consoleFolder = join(folder, 'dist')
  await mkdir(join(consoleFolder, 'assets'), { recursive: true })
  await writeFile(join(consoleFolder, 'index.html'), '<!doctype html><title>Console</title>')
  await writeFile(join(consoleFolder, 'assets', 'app-1a2b.js'), 'export {}')
  await writeFile(join(folder, 'secret.txt'), 'SECRET')
  await mkdir(join(folder, 'dist-other'))
  await writeFile(join(folder, 'dist-other', 'secret.txt'), 'SECRET')
  await symlink(join(folder, 'secret.txt'), join(consoleFolder, 'linked.txt'))
  gateway = createTestGateway({ lockbox, consoleFolder })
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

test.each([
  ['/', 'text/html; charset=utf-8', 'no-cache'],
  ['/inbox', 'text/html; charset=utf-8', 'no-cache'],
  ['/servers/', 'text/html; charset=utf-8', 'no-cache'],
  ['/assets/app-1a2b.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
])('%s is served as %s', async (path, type, caching) => {
  const response = await gateway.app.request(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe(type)
  expect(response.headers.get('cache-control')).toBe(caching)
})

test.each(['/', '/missing.js', paths.health, paths.inbox])(
  '%s tells the browser to be strict',
  async (path) => {
    const { headers } = await gateway.app.request(path)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'self'; script-src 'self'; object-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  },
)

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/..%5csecret.txt',
  '/..%2fdist-other/secret.txt',
  '/linked.txt',
  '/secret.txt',
  '/%00.txt',
  '/%zz.txt',
  `/${'x'.repeat(300)}.txt`,
])('nothing outside the folder is served under %s, advisory [H3]', async (path) => {
  const response = await gateway.app.request(`http://localhost${path}`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'not_found' })
})

test('a missing file of the API or of the assets is a problem and not a page', async () => {
  const missing = await gateway.app.request('/assets/missing.js')
  expect(missing.headers.get('content-type')).toBe('application/problem+json')
  expect((await gateway.as('ada').get('/api/missing')).status).toBe(404)
})
