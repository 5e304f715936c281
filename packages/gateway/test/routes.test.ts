import { paths } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerNotFound } from '../src/middleware/problem.ts'
import { createTestGateway, type TestGateway } from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'

let lockbox: Lockbox
let gateway: TestGateway
beforeAll(async () => {
  lockbox = await openTestLockbox()
  gateway = createTestGateway({ lockbox })
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await lockbox.close()
})

test('every route of the API needs a token, except the one that exchanges a sign-in code', async () => {
  const routes = gateway.app.routes.filter(({ path }) => path.startsWith('/api/') && path !== paths.signIn)
  const answers = routes.map(async ({ method, path }) => {
    const { status } = await gateway.app.request(path, { method: method === 'ALL' ? 'GET' : method })
    return `${method} ${path} ${status}`
  })
  expect((await Promise.all(answers)).filter((answer) => !answer.endsWith(' 401'))).toEqual([])
  expect(routes.map(({ path }) => path)).toContain(paths.config)
})

test('no route of the API is hidden by the handler of unknown paths', () => {
  const { routes } = gateway.app
  const last = routes.findIndex(({ handler }) => handler === answerNotFound)
  const hidden = routes.slice(last + 1).filter(({ path }) => path.startsWith('/api/'))
  expect(last).toBeGreaterThan(0)
  expect(hidden.map(({ method, path }) => `${method} ${path}: register it before answerNotFound`)).toEqual([])
})
