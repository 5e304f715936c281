import { paths } from '@toolbridge/api'
import { after, look } from '@toolbridge/testkit/secrets'
import type { Hono } from 'hono'
import type { GatewayEnv } from '../../src/http/gateway-env.ts'

/** Results are whose call it was, and somebody’s own servers come back to them in clear. */
const telling: ReadonlySet<string> = new Set([paths.call, paths.config, paths.invoke, paths.mcp])

/** Looks for secrets in what the application answers. */
export function watchAnswers(app: Hono<GatewayEnv>): void {
  after(app, 'request', (answer, { given: [path] }) => {
    if (typeof path === 'string' && !telling.has(path)) void lookIn(answer, path)
  })
}

async function lookIn(answer: unknown, path: string): Promise<void> {
  const response = await answer
  if (!(response instanceof Response) || response.headers.get('content-type') !== 'application/json') return
  look('answers', await response.clone().text(), `the answer to ${path}`)
}
