import type { JsonObject } from '../jsonrpc/json.ts'
import type { ServerCapabilities } from '../model/capability.ts'
import type { SubscriptionFilter } from './subscription.ts'
import { TASKS_EXTENSION } from '../model/tasks-extension.ts'

/** The part of a filter that the server's capabilities support. */
export function supportedFilter(
  wanted: SubscriptionFilter,
  capabilities: ServerCapabilities,
): SubscriptionFilter {
  const { tools, prompts, resources, extensions } = capabilities
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions, taskIds } =
    wanted
  return {
    ...(toolsListChanged && tools?.listChanged ? { toolsListChanged } : {}),
    ...(promptsListChanged && prompts?.listChanged ? { promptsListChanged } : {}),
    ...(resourcesListChanged && resources?.listChanged ? { resourcesListChanged } : {}),
    ...(resourceSubscriptions && resources?.subscribe ? { resourceSubscriptions } : {}),
    ...(taskIds && extensions?.[TASKS_EXTENSION] ? { taskIds } : {}),
  }
}

/** Whether a notification matches a filter. */
export function matchesFilter(filter: SubscriptionFilter, method: string, params: JsonObject): boolean {
  switch (method) {
    case 'notifications/tools/list_changed':
      return filter.toolsListChanged === true
    case 'notifications/prompts/list_changed':
      return filter.promptsListChanged === true
    case 'notifications/resources/list_changed':
      return filter.resourcesListChanged === true
    case 'notifications/resources/updated':
      return isWithin(params['uri'], filter.resourceSubscriptions)
    default:
      return false
  }
}

/** A notification may be about a sub-resource of the subscribed one. */
function isWithin(uri: unknown, subscribed: readonly string[] = []): boolean {
  return typeof uri === 'string' && subscribed.some((each) => uri === each || uri.startsWith(`${each}/`))
}
