import { paths } from '@toolbridge/api'
import { after, look } from '@toolbridge/testkit/secrets'
import type { Hono } from 'hono'
import type { GatewayEnv } from '../../src/http/gateway-env.ts'

/** Excluded: results belong to the caller, and a person's own servers are returned in clear. */
const telling: ReadonlySet<string> = new Set([paths.call, paths.config, paths.invoke, paths.mcp])

/** Searches the responses of the application for secrets. */
export function watchAnswers(app: Hono<GatewayEnv>): void {
  after(app, 'request', (answer, { given: [path] }) => {
    if (typeof path === 'string' && !telling.has(path)) void lookIn(answer, path)
  })
}

async function lookIn(answer: unknown, path: string): Promise<void> {
  const response = await answer
  if (!(response instanceof Response) || !isRead(response)) return
  look('answers', await response.clone().text(), `the answer to ${path}`)
}

/** Event streams have no end. */
function isRead({ headers }: Response): boolean {
  return /^(?:application\/json|text\/plain)\b/.test(headers.get('content-type') ?? '')
}
