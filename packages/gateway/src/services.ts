import { setMaxListeners } from 'node:events'
import type { PermissionRules } from '@toolbridge/bridge'
import type { ServerSpec, TrustStore } from '@toolbridge/bridge/config'
import type { CredentialsOf } from '@toolbridge/bridge/connections'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import type { Lockbox, Settings } from '@toolbridge/lockbox'
import { type ActivityLog, createActivityLog } from './activity/activity-log.ts'
import { createEventHub, type EventHub } from './activity/event-hub.ts'
import { createQuestionInbox, type QuestionInbox } from './inbox/question-inbox.ts'
import { type Closable, ResourceStack } from './lifecycle/resource-stack.ts'
import { RunningCalls } from './lifecycle/running-calls.ts'
import { createMcpEndpoint, type McpEndpoint } from './mcp/mcp-endpoint.ts'
import type { ApprovalStores } from './owners/owner-bridge.ts'
import { OwnerBridges } from './owners/owner-bridges.ts'
import { type Authenticate, localPrincipal, type Principal } from './sign-in/principal.ts'

/** What the application is told from outside. */
export interface ServiceOptions {
  readonly lockbox: Lockbox
  readonly authenticate: Authenticate
  /** The bearer that a sign-in code buys. */
  readonly exchangeCode: (
    code: string,
  ) => { readonly token: string; readonly principal: Principal } | undefined
  /** A fresh sign-in code for somebody who showed that they may have one. */
  readonly issueCode: (principal: Principal) => string
  /** Every `host:port` that requests may name. */
  readonly authorities: ReadonlySet<string>
  /** Servers that only the local owner has. */
  readonly operatorServers?: readonly ServerSpec[]
  readonly trust?: TrustStore
  readonly permissions?: PermissionRules
  readonly approvals?: ApprovalStores
  /** Which addresses saved servers may have: public ones over https unless told. */
  readonly guard?: UrlGuardOptions
  /** Accounts at servers that want a sign-in, which only the local owner has. */
  readonly credentials?: CredentialsOf
  /** Where the built console is; without one there are no pages. */
  readonly consoleFolder?: string
  /** Aborted when the gateway stops: ends streams and calls. */
  readonly stopping: AbortSignal
  readonly log?: (line: string) => void
}

/**
 * Everything the routes work with. Closing, which `stopping` goes before, ends the sessions of MCP hosts, waits for workflows
 * to end, stops the servers and keeps what they told.
 */
export interface GatewayServices extends Closable {
  readonly authenticate: Authenticate
  readonly exchangeCode: ServiceOptions['exchangeCode']
  readonly issueCode: ServiceOptions['issueCode']
  readonly authorities: ReadonlySet<string>
  readonly consoleFolder: string | undefined
  readonly permissions: PermissionRules | undefined
  readonly approvals: ApprovalStores | undefined
  readonly guard: UrlGuardOptions
  readonly settings: Settings
  readonly owners: OwnerBridges
  readonly inbox: QuestionInbox
  readonly activity: ActivityLog
  readonly events: EventHub
  readonly mcp: McpEndpoint
  /** Workflows under way: each has servers of its own, which it stops itself. */
  readonly workflows: RunningCalls
  readonly stopping: AbortSignal
  readonly log: (line: string) => void
}

/** Puts the services together; the lockbox stays the caller's to close. */
export function createServices(options: ServiceOptions): GatewayServices {
  const { lockbox, operatorServers = [], trust, permissions, approvals, guard = {}, stopping } = options
  const { log = () => undefined } = options
  // Every open stream listens to it: no number of them means that one was forgotten.
  setMaxListeners(0, stopping)
  const closing = new ResourceStack()
  const events = createEventHub()
  const inbox = createQuestionInbox(lockbox.inbox, events)
  const activity = closing.add(createActivityLog({ activity: lockbox.activity, events, log }))
  const owners = closing.add(
    new OwnerBridges((owner) => ({
      owner,
      operatorServers: owner === localPrincipal.id ? operatorServers : [],
      trust,
      permissions,
      approvals,
      guard,
      credentials: owner === localPrincipal.id ? options.credentials : undefined,
      settings: lockbox.settings,
      answerer: inbox.answererFor(owner),
      journal: activity.journalOf(owner),
      onChange: () => events.publish(owner, { type: 'servers' }),
    })),
  )
  const workflows = new RunningCalls()
  closing.add({ close: () => workflows.answered() })
  const mcp = closing.add(createMcpEndpoint({ owners, inbox, events, stopping, log }))
  return {
    authenticate: options.authenticate,
    exchangeCode: options.exchangeCode,
    issueCode: options.issueCode,
    authorities: options.authorities,
    consoleFolder: options.consoleFolder,
    permissions,
    approvals,
    guard,
    settings: lockbox.settings,
    owners,
    inbox,
    activity,
    events,
    mcp,
    workflows,
    stopping,
    log,
    close: () => closing.close(),
  }
}
