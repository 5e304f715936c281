/** Requests without an effect, or with the same effect when sent twice. */
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

/** Whether a request may be sent again when its effect is unknown: as its caller says, else by its JSON-RPC method. */
export function isRepeatable(mayRepeat: boolean | string): boolean {
  return typeof mayRepeat === 'string' ? REPEATABLE.has(mayRepeat) : mayRepeat
}
