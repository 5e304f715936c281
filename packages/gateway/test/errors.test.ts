import { ConfigError, type ConfigErrorCode, DeniedError, type DeniedErrorCode } from '@toolbridge/bridge'
import { McpError, type McpErrorKind } from '@toolbridge/client'
import { McpAuthError } from '@toolbridge/client/auth'
import { LockboxError, type LockboxErrorCode, SealError, type SealErrorCode } from '@toolbridge/lockbox'
import { canary } from '@toolbridge/testkit/secrets'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { GatewayError, type GatewayErrorCode } from '../src/errors/gateway-error.ts'
import { problemOf, problemTable } from '../src/errors/problems.ts'
import type { GatewayEnv } from '../src/http/gateway-env.ts'
import { answerWithProblem } from '../src/middleware/problem.ts'

const errorsOf: Readonly<Record<keyof typeof problemTable, (code: string) => Error>> = {
  mcp: (kind) =>
    new McpError('what happened', { kind: kind as McpErrorKind, code: -32_000, data: canary('data') }),
  denied: (code) => new DeniedError('what happened', { code: code as DeniedErrorCode }),
  config: (code) => new ConfigError('what happened', { code: code as ConfigErrorCode, issues: [] }),
  seal: (code) => new SealError(code as SealErrorCode, 'what happened'),
  lockbox: (code) => new LockboxError(code as LockboxErrorCode, 'what happened'),
  gateway: (code) => new GatewayError(code as GatewayErrorCode, 'what happened'),
}

const rows = Object.entries(problemTable).flatMap(([family, kinds]) =>
  Object.entries(kinds).map(([code, kind]) => ({ family: family as keyof typeof problemTable, code, kind })),
)

test.each(rows)('$family error $code is answered with its own problem document', ({ family, code, kind }) => {
  const problem = problemOf(errorsOf[family](code))
  expect(problem).toEqual({ ...kind, type: `urn:toolbridge:problem:${kind.code}`, detail: 'what happened' })
})

test('every problem has a code of its own', () => {
  expect(new Set(rows.map(({ kind }) => kind.code)).size).toBe(rows.length)
})

test('an upstream that refuses us is never a 401 to our caller', () => {
  expect(rows.filter(({ kind }) => kind.status === 401).map(({ kind }) => kind.code)).toEqual([
    'unauthenticated',
  ])
})

test('a sign-in that failed is a bad gateway with a code of its own', () => {
  const error = new McpAuthError('nobody agreed', {
    code: 'authorization_refused',
    stage: 'callback',
    fix: 'log in again',
  })
  expect(problemOf(error)).toMatchObject({
    status: 502,
    code: 'auth_authorization_refused',
    detail: 'nobody agreed; log in again',
  })
})

test.each(['ENOSPC', 'EDQUOT', '53100'])('a full disk (%s) is answered with 507', async (code) => {
  const logged: string[] = []
  const app = new Hono<GatewayEnv>()
  app.onError(answerWithProblem({ log: (line) => logged.push(line), protectedResource: undefined }))
  app.get('/', () => {
    throw Object.assign(new Error(`no space for ${canary('data')}`), { code })
  })
  const response = await app.request('/')
  expect(response.status).toBe(507)
  expect(await response.json()).toEqual({
    type: 'urn:toolbridge:problem:storage_full',
    title: 'The disk is full',
    status: 507,
    code: 'storage_full',
    detail: 'free disk space and try again',
  })
  expect(logged).toEqual([])
})

test('a bug is shown as an id and nothing else, and the log has the rest under that id', async () => {
  const logged: string[] = []
  const app = new Hono<GatewayEnv>()
  app.onError(answerWithProblem({ log: (line) => logged.push(line), protectedResource: undefined }))
  app.get('/', () => {
    throw new RangeError('the inside of the house')
  })
  const response = await app.request('/')
  const body = await response.text()
  expect(response.status).toBe(500)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(body).not.toContain('inside of the house')
  const [id] = /[0-9a-f-]{36}/.exec(body) ?? []
  expect(logged.join()).toContain(`${id}: RangeError: the inside of the house`)
})
