import type { RequestOptions } from '../../jsonrpc/transport.ts'

/** Requests that change nothing, or nothing more when they are made twice. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tools/list',
])

/** Whether a request may be sent again when nobody knows what became of it. */
export function mayRepeat(method: string, options: RequestOptions | undefined): boolean {
  return options?.idempotent ?? REPEATABLE.has(method)
}
