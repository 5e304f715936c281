import { paths } from '@toolbridge/api'
import { Hono } from 'hono'
import { consoleFiles } from './http/console-files.ts'
import type { GatewayEnv } from './http/gateway-env.ts'
import { bearer } from './middleware/bearer.ts'
import { countResponses } from './middleware/count-responses.ts'
import {
  limitBody,
  maxAnonymousBodyBytes,
  maxBodyBytes,
  maxOtherBodyBytes,
  maxTextBodyBytes,
} from './middleware/limit-body.ts'
import { answerNotFound, answerWithProblem } from './middleware/problem.ts'
import { securityHeaders } from './middleware/security-headers.ts'
import { checkWebOrigin, sharedWithPages } from './middleware/web-origin.ts'
import { listActivity, showCall } from './routes/activity.ts'
import { acceptPin, listGrants, listPins, removePin, revokeGrant } from './routes/approvals.ts'
import { listOwnAudit } from './routes/own-audit.ts'
import { beginServerSignIn, endServerSignIn, finishServerSignIn } from './routes/accounts.ts'
import { deleteCredential, listCredentials, removeAccount } from './routes/credentials.ts'
import { showAudit, verifyStore } from './routes/audit.ts'
import { diffConfig, listConfigVersions, rollBackConfig, saveConfig, showConfig } from './routes/config.ts'
import { diagnoseServer } from './routes/doctor.ts'
import { explain } from './routes/explain.ts'
import { followEvents } from './routes/events.ts'
import { importFound, listFound } from './routes/found.ts'
import { importText } from './routes/import.ts'
import { showHealth, showReadiness } from './routes/health.ts'
import { listHosts, showConnect } from './routes/hosts.ts'
import { answerQuestion, listQuestions } from './routes/inbox.ts'
import { reusePath } from './reuse/reuse-answer.ts'
import { createKey, listKeys, revokeKey } from './routes/keys.ts'
import { serveMcp } from './routes/mcp.ts'
import { metricsToken, showMetrics } from './routes/metrics.ts'
import { describeApi } from './routes/openapi.ts'
import {
  describePermissions,
  dryRunPermissions,
  explainCall,
  savePermissions,
  showPermissions,
} from './routes/permissions.ts'
import { getPrompt, listPrompts } from './routes/prompts.ts'
import { removePerson } from './routes/people.ts'
import { describeResource } from './routes/protected-resource.ts'
import {
  completeArgument,
  listResources,
  readResource,
  subscribeResource,
  unsubscribeResource,
} from './routes/resources.ts'
import { describeReuse, relayRequest } from './routes/reuse.ts'
import { changeServer, removeServer, saveServer, showServer } from './routes/saved-server.ts'
import { followServerLog } from './routes/server-log.ts'
import { listServers, restartServer } from './routes/servers.ts'
import { cancelCall, listStartedCalls, showStartedCall, startCall } from './routes/started-calls.ts'
import { issueSignInCode, showSignIn, signIn, signOut } from './routes/sign-in.ts'
import { rotateStoreKeys, showStoreKeys } from './routes/store-keys.ts'
import { callTool, listTools } from './routes/tools.ts'
import { invoke } from './routes/workflow.ts'
import type { GatewayServices } from './services.ts'

/** The routes of the API whose bodies may be longer than others. */
const longBodies: ReadonlyMap<string, number> = new Map([
  [paths.call, maxBodyBytes],
  [paths.startedCalls, maxBodyBytes],
  [paths.invoke, maxBodyBytes],
  [paths.explain, maxTextBodyBytes],
  [paths.importServers, maxTextBodyBytes],
])

/** Creates the HTTP application of the gateway. It opens no port and does not close the services. */
export function createApp(services: GatewayServices): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>()
  app.onError(answerWithProblem(services))
  app.notFound(answerNotFound)
  const limited = limitBody(maxOtherBodyBytes)
  const callLimited = limitBody(maxBodyBytes)
  app.use(countResponses(services.metrics), securityHeaders)
  // Before the check of the host: monitoring reaches machines by their address.
  if (services.metricsToken !== undefined)
    app.get(paths.metrics, metricsToken(services.metricsToken), showMetrics(services))
  app.use(checkWebOrigin(services), sharedWithPages(services.allowedOrigins))

  app.get(paths.health, showHealth)
  app.get(paths.readiness, showReadiness(services))
  app.get(paths.signIn, showSignIn(services))
  app.post(paths.signIn, limitBody(maxAnonymousBodyBytes), signIn(services))
  const owner = bearer(services, 'owner')
  app.post(paths.signInCode, owner, limited, issueSignInCode(services))
  const account = bearer(services, 'account')
  app.delete(paths.signIn, account, signOut(services))
  app.get(paths.keys, account, listKeys(services))
  app.post(paths.keys, account, limited, createKey(services))
  app.delete(`${paths.keys}/:id`, account, revokeKey(services))
  app.delete('/api/people/:id', account, removePerson(services))
  app.get(paths.storeKeys, owner, showStoreKeys(services))
  app.post(paths.rotation, owner, limited, rotateStoreKeys(services))
  app.get(paths.audit, owner, showAudit(services))
  app.post(paths.verification, owner, limited, verifyStore(services))
  app.use('/api/*', bearer(services, 'api'), (context, next) =>
    limitBody(longBodies.get(context.req.path) ?? maxOtherBodyBytes)(context, next),
  )
  app.get(paths.openApi, describeApi)
  app.get(paths.config, showConfig(services))
  app.post(paths.config, saveConfig(services))
  app.get(paths.configVersions, listConfigVersions(services))
  app.get(paths.configDiff, diffConfig(services))
  app.post(paths.configRollback, rollBackConfig(services))
  app.post(paths.explain, explain(services))
  app.post(paths.importServers, importText(services))
  app.get(paths.found, listFound(services))
  app.post(paths.importFound, importFound(services))
  app.get(paths.servers, listServers(services))
  app.get(`${paths.servers}/:name`, showServer(services))
  app.put(`${paths.servers}/:name`, saveServer(services))
  app.patch(`${paths.servers}/:name`, changeServer(services))
  app.delete(`${paths.servers}/:name`, removeServer(services))
  app.post(`${paths.servers}/:name/restart`, restartServer(services))
  app.get(`${paths.servers}/:name/log`, followServerLog(services))
  app.post(`${paths.servers}/:name/doctor`, diagnoseServer(services))
  app.post(`${paths.servers}/:name/sign-in`, beginServerSignIn(services))
  app.delete(`${paths.servers}/:name/sign-in`, endServerSignIn(services))
  app.post(paths.oauthCallback, finishServerSignIn(services))
  app.get(paths.tools, listTools(services))
  app.post(paths.call, callTool(services))
  app.get(paths.startedCalls, listStartedCalls(services))
  app.post(paths.startedCalls, startCall(services))
  app.get(`${paths.startedCalls}/:id`, showStartedCall(services))
  app.post(`${paths.startedCalls}/:id/cancel`, cancelCall(services))
  app.get(paths.resources, listResources(services))
  app.post(paths.readResource, readResource(services))
  app.post(paths.subscribeResource, subscribeResource(services))
  app.post(paths.unsubscribeResource, unsubscribeResource(services))
  app.get(paths.prompts, listPrompts(services))
  app.post(paths.getPrompt, getPrompt(services))
  app.post(paths.complete, completeArgument(services))
  app.get(paths.permissions, showPermissions(services))
  app.put(paths.permissions, savePermissions(services))
  app.post(paths.describePermissions, describePermissions(services))
  app.post(paths.testPermission, explainCall(services))
  app.post(paths.dryRun, dryRunPermissions(services))
  app.get(paths.grants, listGrants(services))
  app.delete(`${paths.grants}/:id`, revokeGrant(services))
  app.get(paths.pins, listPins(services))
  app.post(`${paths.pins}/:tool/accept`, acceptPin(services))
  app.delete(`${paths.pins}/:tool`, removePin(services))
  app.get(paths.inbox, listQuestions(services))
  app.post(`${paths.inbox}/:id/answer`, answerQuestion(services))
  app.get(paths.events, followEvents(services))
  app.get(paths.connect, showConnect)
  app.get(paths.hosts, listHosts(services))
  app.get(paths.activity, listActivity(services))
  app.get(`${paths.activity}/:id`, showCall(services))
  app.get(paths.credentials, listCredentials(services))
  app.delete(`${paths.credentials}/:server/:id`, deleteCredential(services))
  app.delete(`${paths.accounts}/:id`, removeAccount(services))
  app.get(paths.ownAudit, listOwnAudit(services))
  app.post(paths.invoke, invoke(services))
  app.all('/api/*', answerNotFound)

  if (services.protectedResource !== undefined)
    app.get(paths.protectedResource, describeResource(services.protectedResource))
  app.all(paths.mcp, bearer(services, 'mcp'), callLimited, serveMcp(services))
  if (services.relay !== undefined) {
    app.get(reusePath, describeReuse(services.relay))
    app.all(`${reusePath}/:key`, bearer(services, 'owner'), callLimited, relayRequest(services.relay))
  }
  if (services.consoleFolder !== undefined) app.use(consoleFiles(services.consoleFolder))
  return app
}
