import { setMaxListeners } from 'node:events'
import type { ApplyReport, BridgeOptions, Journal, PermissionRules } from '@toolbridge/bridge'
import type { ServerSpec, TrustStore } from '@toolbridge/bridge/config'
import { createCodeRunner } from '@toolbridge/bridge/code'
import type { DirectServer } from '@toolbridge/bridge/connections'
import {
  checkPermissions,
  type GrantStore,
  memoryGrantStore,
  memoryPinStore,
  type PinStore,
} from '@toolbridge/bridge/permissions'
import type { AuthStore, UrlGuardOptions } from '@toolbridge/client/auth'
import { KeyedMutex } from '@toolbridge/client/internal'
import type { Audit, InputStore, Lockbox, LockboxKeys, Settings } from '@toolbridge/lockbox'
import { type ActivityLog, createActivityLog } from './activity/activity-log.ts'
import { createEventHub, type EventHub } from './activity/event-hub.ts'
import { callOwnTool } from './calls/call-own-tool.ts'
import { StartedCalls } from './calls/started-calls.ts'
import { stateOf } from './gateway-state.ts'
import { createQuestionInbox, type QuestionInbox } from './inbox/question-inbox.ts'
import type { CallAdmission } from './lifecycle/call-admission.ts'
import { type Closable, ResourceStack } from './lifecycle/resource-stack.ts'
import { ConnectedHosts } from './mcp/connected-hosts.ts'
import { limitedCodeRuns } from './mcp/limited-code-runs.ts'
import { createMcpEndpoint, type McpEndpoint } from './mcp/mcp-endpoint.ts'
import { createRelayEndpoint, type RelayEndpoint } from './mcp/relay-endpoint.ts'
import type { ToolsMode } from './mcp/tools-mode.ts'
import type { Metric } from './metrics/prometheus-text.ts'
import { createOperations, type OperationOptions, type Operations } from './operations.ts'
import { createOwnerAccounts } from './owners/owner-accounts.ts'
import type { ApprovalStores } from './owners/owner-bridge.ts'
import { OperatorServers } from './owners/operator-servers.ts'
import { refusingOwnEndpoint } from './owners/own-endpoint.ts'
import { ResourceSubscriptions } from './owners/resource-subscriptions.ts'
import { OwnerBridges } from './owners/owner-bridges.ts'
import { PastedTexts } from './settings/pasted-texts.ts'
import { createOwnRules, type OwnRulesStore } from './permissions/own-rules.ts'
import type { ProgramRules } from './sandbox/sandboxed-program.ts'
import { FoundServers, type HostFiles } from './settings/found-servers.ts'
import type { IssuerSignIn } from './sign-in/oidc/code-exchange.ts'
import { IssuedTokens, isIssuedToken } from './sign-in/issued-tokens.ts'
import { type Authenticate, localPrincipal, type Principal } from './sign-in/principal.ts'
import type { ProtectedResource } from './sign-in/protected-resource.ts'
import { Workflows } from './workflow/workflows.ts'

const defaultIdleMs = 30 * 60_000

/** Options of `createServices`. */
export interface ServiceOptions extends OperationOptions {
  /** Store for settings, questions and activity. The caller closes it. */
  readonly lockbox: Lockbox
  /** Returns the principal of a bearer token that the gateway did not issue: it is no API key and no sign-in. */
  readonly authenticate: Authenticate
  /** Returns the principal whom a sign-in code signs in, once. Returns undefined if the code is invalid. */
  readonly redeemCode: (code: string) => Principal | undefined
  /** Signs people in at an issuer. Default: the console has no such sign-in. */
  readonly issuerSignIn?: IssuerSignIn
  /** The MCP endpoint and the issuer of its access tokens, for MCP hosts that sign in. Default: they cannot. */
  readonly protectedResource?: ProtectedResource
  /** Revokes a token that the gateway did not issue. Default: nothing happens. */
  readonly revokeToken?: (token: string) => Promise<void>
  /** Revokes all tokens of a principal that the gateway did not issue. Default: nothing happens. */
  readonly revokeTokensOf?: (principal: string) => Promise<void>
  /** Creates a sign-in code for an authenticated principal. */
  readonly issueCode: (principal: Principal) => string
  /** The owner token. With it, commands of the local owner can use the operator's servers. Default: they cannot. */
  readonly ownerToken?: string
  /** Values of the `Host` header that are accepted. */
  readonly hostHeaders: ReadonlySet<string>
  /** Those of them that proxies serve, also over https. Default: none. */
  readonly proxies?: ReadonlySet<string>
  /** Token for `GET /metrics`. Default: there are no metrics. */
  readonly metricsToken?: string
  /** Servers of the local owner. Default: none. */
  readonly operatorServers?: readonly ServerSpec[]
  /** Decides which servers of project files may start. Default: none may. */
  readonly trust?: TrustStore
  /** Permission rules. Default: mode `ask` without rules. */
  readonly permissions?: PermissionRules
  /** Stores for grants and pins. Default: in memory. */
  readonly approvals?: ApprovalStores
  /** Restricts the URLs of saved servers. Default: public addresses over https. */
  readonly guard?: UrlGuardOptions
  /** Whether saved servers may be programs, which the gateway starts; or the sandbox that runs them. Default: true. */
  readonly savedPrograms?: ProgramRules
  /** Store of the local owner's accounts at `operatorServers`. Default: encrypted rows, as at saved servers. */
  readonly accounts?: AuthStore
  /** URL of the page that finishes sign-ins to servers. Default: people cannot sign in to servers. */
  readonly signInCallback?: string
  /** Creates transports that a definition cannot describe. Default: none. */
  readonly transportOf?: BridgeOptions['transportOf']
  /** Where files of MCP hosts are searched for servers that the local owner can import. Default: nowhere. */
  readonly hostFiles?: HostFiles
  /** How MCP hosts get the tools if their URL does not name it with `?tools=`. Default: `all`. */
  readonly tools?: ToolsMode
  /** Folder of the built console. Default: no pages are served. */
  readonly consoleFolder?: string
  /** Abort it to stop the gateway: ends streams and calls. */
  readonly stopping: AbortSignal
  /** Receives log lines. Default: they are discarded. */
  readonly log?: (line: string) => void
}

/**
 * The services that the routes use. Abort `stopping` before closing; `close` then ends the sessions of MCP hosts, waits for
 * running workflows, stops the servers and writes the remaining activity.
 */
export interface GatewayServices extends Closable, Operations {
  readonly authenticate: Authenticate
  /** Begins a request of a principal. Returns a function that is called when its response is complete. */
  readonly beginUse: (principal: string) => () => void
  readonly metricsToken: string | undefined
  readonly readMetrics: () => Promise<readonly Metric[]>
  /** API keys and sign-ins. */
  readonly tokens: IssuedTokens
  readonly redeemCode: ServiceOptions['redeemCode']
  readonly issuerSignIn: IssuerSignIn | undefined
  readonly protectedResource: ProtectedResource | undefined
  /** Revokes a sign-in, or a token of the issuer. */
  readonly revokeToken: (token: string) => Promise<void>
  /** Revokes all tokens of a principal that the gateway did not issue. */
  readonly revokeTokensOf: (principal: string) => Promise<void>
  readonly issueCode: ServiceOptions['issueCode']
  readonly hostHeaders: ReadonlySet<string>
  readonly proxies: ReadonlySet<string>
  readonly consoleFolder: string | undefined
  /** The current permission rules. */
  readonly permissions: PermissionRules | undefined
  /** The permission rules of people. */
  readonly ownRules: OwnRulesStore
  /** Reads what people paste. */
  readonly pastedTexts: PastedTexts
  /** Permanent approvals of all people. */
  readonly grants: GrantStore
  /** Tools as people approved them. */
  readonly pins: PinStore
  readonly settings: Settings
  /** Changes of saved servers, by owner. */
  readonly changes: KeyedMutex
  /** The record of reads and changes. */
  readonly audit: Audit
  /** Values that people entered for their servers. */
  readonly inputs: InputStore
  /** Checks the audit and all values of the store. */
  readonly verify: Lockbox['verify']
  /** The keys of the store. */
  readonly storeKeys: LockboxKeys
  readonly owners: OwnerBridges
  /** Replaces the servers of the local owner. */
  readonly applyOperatorServers: (servers: readonly ServerSpec[]) => Promise<ApplyReport>
  /** Applies the current rules of an owner, by default of all, to calls that begin from now on. */
  readonly refreshPermissions: (owner?: string) => Promise<void>
  /** Replaces the permission rules of all owners. */
  readonly applyPermissions: (rules: PermissionRules) => Promise<void>
  /** Servers in the files of MCP hosts, for the local owner; undefined if they are not available. */
  readonly foundServers: FoundServers | undefined
  readonly inbox: QuestionInbox
  readonly activity: ActivityLog
  readonly subscriptions: ResourceSubscriptions
  /** Calls that continue after their request. */
  readonly startedCalls: StartedCalls
  readonly events: EventHub
  readonly hosts: ConnectedHosts
  readonly mcp: McpEndpoint
  readonly relay: RelayEndpoint | undefined
  readonly workflows: Workflows
  readonly stopping: AbortSignal
  readonly log: (line: string) => void
}

/** Creates the services of `createApp`. Closing them does not close the lockbox. */
export function createServices(options: ServiceOptions): GatewayServices {
  const { lockbox, operatorServers, trust, guard = {}, savedPrograms = true, stopping } = options
  const transportOf = refusingOwnEndpoint(options.hostHeaders, options.transportOf)
  const { log = () => undefined } = options
  let { permissions } = options
  const grants = options.approvals?.grants ?? memoryGrantStore()
  const pins = options.approvals?.pins ?? memoryPinStore()
  const approvals = { grants, pins }
  const ownRules = createOwnRules(lockbox.settings, () => permissions)
  // Every open stream adds a listener, so a high number is not a leak.
  setMaxListeners(0, stopping)
  const operators = new OperatorServers(operatorServers ?? [])
  const nobodys = new OperatorServers([])
  const accountsOf = createOwnerAccounts({ ...options, guard, operators })
  const closing = new ResourceStack()
  const tokens = closing.add(new IssuedTokens({ store: lockbox.bearerTokens, log }))
  const { limits = {}, ownerIdleMs: idleMs = defaultIdleMs } = options
  const operations = createOperations(options, lockbox, log)
  const { calls, metrics, quotas } = operations
  const events = createEventHub()
  const hosts = new ConnectedHosts(events)
  const inbox = createQuestionInbox(lockbox.inbox, events)
  const activity = closing.add(
    createActivityLog({ activity: lockbox.activity, events, hostOf: hosts.nameOf, metrics, log }),
  )
  const journalOf = (owner: string): Journal => {
    const record = activity.journalOf(owner)
    return (event) => {
      record(event)
      startedCalls.observe(owner, event)
    }
  }
  const owners = closing.add(
    new OwnerBridges({
      isPermanent: (owner) => owner === localPrincipal.id,
      idleMs,
      onIdle: (owner) => {
        mcp.forget(owner)
        startedCalls.forget(owner)
      },
      log,
      optionsOf: (owner) => ({
        owner,
        operatorServers: owner === localPrincipal.id ? operators : nobodys,
        trust,
        permissions: () => ownRules.effective(owner),
        approvals,
        guard,
        savedPrograms,
        transportOf,
        quotas,
        ...accountsOf(owner),
        settings: lockbox.settings,
        inputs: lockbox.inputs,
        answerer: inbox.answererFor(owner),
        journal: journalOf(owner),
        onCallEnd: activity.onCallEnd,
        onChange: () => events.publish(owner, { type: 'servers' }),
      }),
    }),
  )
  const startedCalls = closing.add(
    new StartedCalls({
      calls,
      events,
      beginUse: (owner) => owners.beginUse(owner),
      callTool: (owner, request, call) => callOwnTool({ owners, inbox }, owner, request, call),
      stopping,
      log,
    }),
  )
  const workflows = closing.add(
    new Workflows({
      settings: lockbox.settings,
      inbox,
      activity,
      approvals,
      permissionsOf: (owner) => ownRules.effective(owner),
      credentialsOf: (owner) => accountsOf(owner).credentials,
      savingRules: (owner) => owners.savingRules(owner),
      guard,
      transportOf,
      quotas,
      log,
    }),
  )
  const refreshPermissions = async (owner?: string): Promise<void> => {
    await Promise.all([owners.refreshPermissions(owner), workflows.closeClients(owner)])
  }
  const codeRunsOf = limitedCodeRuns(closing.add(createCodeRunner()))
  const { tools: toolsMode = 'all' } = options
  const mcp = closing.add(
    createMcpEndpoint({
      owners,
      inbox,
      events,
      hosts,
      toolsMode,
      codeRunsOf,
      maxSessions: limits.sessions,
      calls,
      stopping,
      log,
    }),
  )
  const relay = createRelay(options, owners, operators, calls)
  if (relay !== undefined) closing.add(relay)
  return {
    ...operations,
    authenticate: (token, audience) =>
      isIssuedToken(token) ? tokens.principalOf(token, audience) : options.authenticate(token, audience),
    beginUse: (principal) => owners.beginUse(principal),
    metricsToken: options.metricsToken,
    readMetrics: async () => metrics.read(await stateOf({ calls, mcp, owners, activity })),
    tokens,
    redeemCode: options.redeemCode,
    issuerSignIn: options.issuerSignIn,
    protectedResource: options.protectedResource,
    revokeToken: async (token) =>
      isIssuedToken(token) ? tokens.signOut(token) : options.revokeToken?.(token),
    revokeTokensOf: async (principal) => options.revokeTokensOf?.(principal),
    issueCode: options.issueCode,
    hostHeaders: options.hostHeaders,
    proxies: options.proxies ?? new Set(),
    consoleFolder: options.consoleFolder,
    get permissions() {
      return permissions
    },
    ownRules,
    pastedTexts: new PastedTexts(),
    grants,
    pins,
    refreshPermissions,
    settings: lockbox.settings,
    changes: new KeyedMutex(),
    storeKeys: lockbox.keys,
    audit: lockbox.audit,
    inputs: lockbox.inputs,
    verify: (checkpoints) => lockbox.verify(checkpoints),
    owners,
    applyOperatorServers: (servers) => {
      operators.replace(servers)
      // The names of the operator's servers are reserved.
      void workflows.forgetToolkits(localPrincipal.id)
      return owners.applyOperatorServers(localPrincipal.id)
    },
    applyPermissions: async (rules) => {
      checkPermissions(rules)
      permissions = rules
      await refreshPermissions()
    },
    foundServers: findServers(options.hostFiles, operators),
    inbox,
    activity,
    startedCalls,
    subscriptions: new ResourceSubscriptions(events, stopping),
    events,
    mcp,
    relay,
    workflows,
    hosts,
    stopping,
    log,
    close: () => closing.close(),
  }
}

function findServers(where: HostFiles | undefined, operators: OperatorServers): FoundServers | undefined {
  if (where === undefined) return undefined
  return new FoundServers(where, () => new Set(operators.current.map(({ source }) => source.file)))
}

function createRelay(
  { ownerToken, stopping, log = () => undefined }: ServiceOptions,
  owners: OwnerBridges,
  operators: OperatorServers,
  calls: CallAdmission,
): RelayEndpoint | undefined {
  if (ownerToken === undefined) return undefined
  const runningServers = async (): Promise<readonly DirectServer[]> => {
    const { bridge } = await owners.open(localPrincipal.id)
    const running = operators.current.flatMap(({ name }) => bridge.direct(name) ?? [])
    return running.filter(({ spec }) => operators.defines(spec))
  }
  return createRelayEndpoint({ ownerToken, runningServers, calls, stopping, log })
}
