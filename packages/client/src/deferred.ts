/** Code that the client loads on first use, as one chunk: a page that only calls tools does not download it. */

export { runTool } from './agent-tool.ts'
export { namedTools } from './named-tools.ts'
export { IncomingRequests } from './jsonrpc/incoming-requests.ts'
export { completeRequest } from './revisions/modern/input-required.ts'
export { ResponseCache } from './revisions/response-cache.ts'
export { requireDefined } from './revisions/require-defined.ts'
export { LegacySubscriptions } from './revisions/legacy/legacy-subscriptions.ts'
export { EXPIRED, isLegacyAnswer, recover } from './revisions/modern/recover.ts'
export { ModernSubscriptions } from './revisions/modern/modern-subscriptions.ts'
export { checkIncomplete } from './revisions/modern/incomplete-results.ts'
export { ServerRestarts } from './revisions/modern/server-restarts.ts'
export { SessionState } from './revisions/legacy/session-state.ts'
export { ToolHeaderPlans } from './revisions/modern/tool-header-plans.ts'
export { otherHandshake } from './revisions/legacy/other-handshake.ts'
export { noCommonVersion, notModern } from './revisions/negotiation-errors.ts'
export {
  awaitStartedTask,
  awaitTask,
  callToolTask,
  cancelTask,
  getTask,
  listTasks,
} from './features/tasks/tasks.ts'
export { UrlElicitations } from './revisions/legacy/url-elicitations.ts'
export { authorizeFirst } from './authorize-first.ts'
export { refreshToolsOnChange } from './refresh-tools-on-change.ts'
export { judgeVersions } from './revisions/negotiation/judge-versions.ts'
export { discoverWhileStarting } from './revisions/negotiation/discover-while-starting.ts'
export { boundHandlers } from './revisions/negotiation/bound-handlers.ts'
export { requireCapability } from './features/capabilities.ts'
export { complete } from './features/completion.ts'
export { reportConnect } from './report-connect.ts'
export { answerServerRequest } from './server-requests/answer-server-request.ts'
export { HookReporter } from './features/hooks.ts'
export { keepAlive } from './features/keep-alive.ts'
export { checkedHandler } from './server-requests/checked-handler.ts'
export { listAll } from './features/pages.ts'
export { getPrompt, listPrompts } from './features/prompts.ts'
export {
  listResources,
  listResourceTemplates,
  readResource,
  subscribeResource,
  unsubscribeResource,
} from './features/resources.ts'
export { schemaProblems } from './schema/schema-problems.ts'
