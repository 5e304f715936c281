import { paths } from '@toolbridge/api'
import { afterAll, expect, test } from 'vitest'
import { answerNotFound } from '../src/middleware/problem.ts'
import { createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'

const lockbox = await openFileLockbox()
const gateway = createTestGateway({ lockbox })
const ada = gateway.as('ada')
afterAll(() => gateway[Symbol.asyncDispose]())

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

/** Bodies with which a request gets as far as its id. Default: an empty object. */
const bodies: Readonly<Record<string, object>> = {
  'PUT /api/servers/:name': { server: { command: 'x' } },
  'PATCH /api/servers/:name': { disabled: true },
  'POST /api/inbox/:id/answer': { action: 'decline' },
}

test('no id in a path, whatever characters it has, is an error of the gateway', async () => {
  const own = gateway.app.routes.filter(({ path }) => path.startsWith('/api/') && path.includes('/:'))
  const ids = ['%00', '%ED%A0%80', '..%2f..', "'", 'x'.repeat(2_000)]
  const answers = own.flatMap(({ method, path }) =>
    ids.map(async (id) => {
      const body = bodies[`${method} ${path}`]
      const sent = path.replaceAll(/:\w+/g, id)
      const { status } = await (method === 'GET' ? ada.get(sent) : ada.send(method, sent, body ?? {}))
      return `${method} ${path} with ${id.slice(0, 10)}: ${status}`
    }),
  )
  expect(own.length).toBeGreaterThan(10)
  expect((await Promise.all(answers)).filter((answer) => / 5\d\d$/.test(answer))).toEqual([])
})
