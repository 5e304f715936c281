/** What the client loads when it is first used, in one piece: a page that only calls tools does not carry it. */

export { answerElicitation } from '../elicitation.ts'
export { firstWilling, IncomingRequests } from '../incoming-requests.ts'
export { answerInputs } from '../input-required.ts'
export { ResponseCache } from '../response-cache.ts'
export { requireDefined } from '../revisions/gate.ts'
export { LegacySubscriptions } from '../revisions/legacy-subscriptions.ts'
export { FORGOTTEN, isOldAnswer, mend } from '../revisions/mending.ts'
export { ModernSubscriptions } from '../revisions/modern-subscriptions.ts'
export { checkOddResult } from '../revisions/odd-results.ts'
export { Revivals } from '../revisions/revivals.ts'
export { SessionMemory } from '../revisions/session-memory.ts'
export { ToolCatalog } from '../revisions/tool-catalog.ts'
export { noCommonVersion, notModern, unusableHandshake } from '../revisions/unusable-handshake.ts'
export { awaitStartedTask, awaitTask, callToolTask, cancelTask, getTask, listTasks } from '../tasks.ts'
export { UrlVisits } from '../url-elicitation.ts'
export { authorizeFirst } from './authorize-first.ts'
export { refreshToolsOnChange } from './auto-refresh.ts'
export { boundHandlers } from './bound-handlers.ts'
export { requireCapability } from './capabilities.ts'
export { complete } from './completion.ts'
export { tellOfConnecting } from './connect-events.ts'
export { answerAsHost } from './host-answers.ts'
export { HookReporter } from './hooks.ts'
export { keepAlive } from './keep-alive.ts'
export { ownQuestions } from './own-questions.ts'
export { listAll } from './pages.ts'
export { getPrompt, listPrompts } from './prompts.ts'
export { answerSampling } from './sampling.ts'
export {
  listResources,
  listResourceTemplates,
  readResource,
  subscribeResource,
  unsubscribeResource,
} from './resources.ts'
