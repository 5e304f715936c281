import type { DefinitionReport, ServerAccount, ServerStatus } from '@toolbridge/api'
import {
  type Answerer,
  type ApplyReport,
  type Bridge,
  type BridgeOptions,
  type Journal,
  openBridge,
  type Origin,
  type PermissionRules,
  type UpstreamStatus,
} from '@toolbridge/bridge'
import {
  type Authority,
  type Issue,
  localAuthority,
  type ServerSpec,
  type TrustStore,
} from '@toolbridge/bridge/config'
import type { ConnectionQuotas, TransportOf } from '@toolbridge/bridge/connections'
import type { StageResult } from '@toolbridge/bridge/doctor'
import { type CredentialStore, inputAnswers } from '@toolbridge/bridge/questions'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import type { Settings } from '@toolbridge/lockbox'
import { gatewayInfo } from '../gateway-info.ts'
import type { Closable } from '../lifecycle/resource-stack.ts'
import type { ProgramRules } from '../sandbox/sandboxed-program.ts'
import type { ClearServers } from '../settings/mask-servers.ts'
import { diagnoseOwned } from './diagnose-owned.ts'
import { type ListedAccount, listAccounts } from './listed-accounts.ts'
import type { OperatorServers } from './operator-servers.ts'
import type { OwnerAccounts } from './owner-accounts.ts'
import type { LogListener } from './server-log.ts'
import { ServerLogs } from './server-logs.ts'
import { refusedStatus, shownStatus, waitingStatus } from './shown-status.ts'
import { reportSaved } from '../settings/report-saved.ts'
import { definitionsOf, issuesAbout, readSaved, type SavedServers } from '../settings/saved-servers.ts'

/** The origin of what a person does in the console. */
export function consoleOrigin(principal: string): Origin {
  return { principal, conversation: 'console' }
}

/** Stores for grants that outlive a conversation, and for pinned tool definitions. Default: in memory. */
export type ApprovalStores = Pick<BridgeOptions, 'grants' | 'pins'>

export interface OwnerBridgeOptions extends OwnerAccounts {
  readonly owner: string
  /** Servers of the gateway's configuration file. They may use the environment of this machine; saved servers may not. */
  readonly operatorServers: OperatorServers
  /** Decides which servers of project files may start. */
  readonly trust?: TrustStore | undefined
  /** Returns the rules that apply to the owner. */
  readonly permissions: () => Promise<PermissionRules>
  readonly approvals?: ApprovalStores | undefined
  /** Restricts the URLs of saved servers. */
  readonly guard: UrlGuardOptions
  /** Which saved servers may be programs. */
  readonly savedPrograms: ProgramRules
  /** Creates transports that a definition cannot describe. */
  readonly transportOf: TransportOf
  /** Bounds the connections to servers. */
  readonly quotas: ConnectionQuotas
  readonly settings: Settings
  /** The values that the owner entered for `${input:…}` in definitions. */
  readonly inputs: CredentialStore
  /** Asks the owner. */
  readonly answerer: Answerer
  readonly journal: Journal
  readonly onCallEnd: NonNullable<BridgeOptions['onCallEnd']>
  /** Called when the list of servers may have changed. */
  readonly onChange: () => void
}

/** A server definition with the rights that it runs with. */
export interface OwnedDefinition {
  readonly spec: ServerSpec
  readonly authority: Authority
}

/** The bridge of one owner: the operator's servers and the saved ones, updated on every save. */
export class OwnerBridge implements Closable {
  readonly bridge: Bridge
  readonly #options: OwnerBridgeOptions
  readonly #logs: ServerLogs
  #version: number
  #saved: ClearServers
  #definitions: Definitions
  #reports: Promise<ReadonlyMap<string, DefinitionReport>> | undefined
  #failure: string | undefined
  #refreshed: Promise<void> = Promise.resolve()

  /** Resolves before the servers have started. Rejects if the saved servers cannot be read. */
  static async open(options: OwnerBridgeOptions): Promise<OwnerBridge> {
    const saved = (await readSaved(options.settings, options.owner)) ?? { servers: {}, version: 0 }
    const logs = new ServerLogs((server) => bridge.status().find(({ name }) => name === server)?.state)
    const bridge = await openEmpty({ ...options, journal: logs.journal(options.journal) })
    const owner = new OwnerBridge(options, saved, bridge, logs)
    void owner.#apply()
    return owner
  }

  private constructor(options: OwnerBridgeOptions, saved: SavedServers, bridge: Bridge, logs: ServerLogs) {
    this.#options = options
    this.#logs = logs
    this.#version = saved.version
    this.#saved = saved.servers
    this.#definitions = defineServers(saved.servers, options)
    this.bridge = bridge
  }

  /** Applies saved servers unless a newer version is already applied. Failures appear in `status()`. */
  applySaved({ servers, version }: SavedServers): void {
    if (version <= this.#version) return
    this.#version = version
    this.#saved = servers
    this.#reports = undefined
    this.#define()
    void this.#apply()
  }

  /** Applies the operator's current servers. Rejects if a required server fails; that also appears in `status()`. */
  applyOperatorServers(): Promise<ApplyReport> {
    this.#define()
    return this.#tryToApply()
  }

  /** Starts a server again, in the background. Returns false if there is no such server. */
  restart(name: string): boolean {
    if (!this.has(name)) return false
    this.#logs.restarted(name)
    // A server that the bridge does not have yet failed to be applied.
    const isApplied = namesOf(this.bridge.status()).has(name)
    void (isApplied ? this.#restart(name) : this.#apply())
    return true
  }

  /** Begins a sign-in to a server that is not ready. Returns the URL to open, or undefined if the server asks for none. */
  async beginSignIn(name: string): Promise<string | undefined> {
    const { accounts, owner } = this.#options
    const state = this.bridge.status().find((status) => status.name === name)?.state
    if (accounts === undefined || state === undefined || state === 'ready') return undefined
    await this.#restart(name)
    return accounts.signInUrl(name, owner)
  }

  /**
   * Finishes a sign-in of the owner with the URL that it led back to. Returns the server, which starts in the background, or
   * undefined if the owner cannot sign in to servers. Rejects with an `McpAuthError` for a sign-in of someone else.
   */
  async finishSignIn(callback: string, signal: AbortSignal): Promise<string | undefined> {
    const { accounts, owner } = this.#options
    const finished = await accounts?.finish(owner, callback, { signal })
    if (finished === undefined) return undefined
    void this.#restart(finished.server)
    return finished.server
  }

  /** Revokes and removes the owner's tokens for a server. Returns false if there is no such server or account. */
  async signOut(name: string, signal: AbortSignal): Promise<boolean> {
    const { accounts, owner } = this.#options
    if (accounts === undefined || !namesOf(this.bridge.status()).has(name)) return false
    await accounts.signOut(name, owner, { signal })
    void this.#stopAndStart(name)
    return true
  }

  /** The owner's accounts at servers, also at those that were removed, except accounts at the operator's servers. */
  async accounts(): Promise<readonly ServerAccount[]> {
    return (await this.#listAccounts()).map(({ shown }) => shown)
  }

  /** Revokes the tokens of an account and removes them. Returns false if there is no such account. */
  async removeAccount(id: string, signal: AbortSignal): Promise<boolean> {
    const account = (await this.#listAccounts()).find(({ shown }) => shown.id === id)
    if (account === undefined) return false
    for (const name of account.shown.servers) await this.signOut(name, signal)
    await this.#options.stored?.remove(account.serverUrl, signal)
    return true
  }

  #listAccounts(): Promise<readonly ListedAccount[]> {
    const { stored, operatorServers } = this.#options
    const saved = this.#definitions.wanted.filter((spec) => !operatorServers.defines(spec))
    return listAccounts(stored, saved)
  }

  /** Returns every server, sorted by name, including those not yet started and those with an invalid definition. */
  status(): readonly ServerStatus[] {
    const operators = namesOf(this.#options.operatorServers.current)
    const known = this.bridge
      .status()
      .map((status) => ({ ...shownStatus(status, operators), ...this.#signInState(status) }))
    const present = namesOf(known)
    const waiting = this.#definitions.wanted
      .filter(({ name }) => !present.has(name))
      .map((spec) => waitingStatus(spec, operators, this.#failure))
    return [...known, ...waiting, ...this.#definitions.refused].toSorted(byName)
  }

  /** A server whose definition has credentials of its own can refuse them, and asks for no sign-in. */
  #signInState({ name, state }: UpstreamStatus): Pick<ServerStatus, 'canSignIn'> {
    const { accounts, owner } = this.#options
    const asks = state === 'unauthorized' && accounts?.signInUrl(name, owner) !== undefined
    return asks ? { canSignIn: true } : {}
  }

  /** Like `status`, with a report on each saved definition. */
  async describe(): Promise<readonly ServerStatus[]> {
    this.#reports ??= reportSaved(this.#saved)
    const reports = await this.#reports
    const operators = namesOf(this.#options.operatorServers.current)
    return this.status().map((status) => {
      const report = operators.has(status.name) ? undefined : reports.get(status.name)
      return report === undefined ? status : { ...status, report }
    })
  }

  /** Applies the current rules to calls that begin from now on. The rules that were read last are applied last. */
  refreshPermissions(): Promise<void> {
    const refreshing = this.#refreshed.then(async () =>
      this.bridge.setPermissions(await this.#options.permissions()),
    )
    this.#refreshed = refreshing.catch(() => undefined)
    return refreshing
  }

  /** Returns the definition of a usable server and the rights that it runs with. */
  definitionOf(name: string): OwnedDefinition | undefined {
    const spec = this.#definitions.wanted.find((each) => each.name === name)
    return spec && { spec, authority: authorityOf(spec, this.#options) }
  }

  /** What approvals of a server refer to: its definition, if it is usable, and the tools that it listed. */
  knownOf(name: string): { readonly spec: ServerSpec | undefined; readonly tools: readonly string[] } {
    const status = this.bridge.status().find((each) => each.name === name)
    return { spec: this.definitionOf(name)?.spec, tools: status?.tools ?? [] }
  }

  /** Whether there is a server of this name, usable or not. */
  has(name: string): boolean {
    return namesOf(this.status()).has(name)
  }

  /** Checks a server in stages, with the rights that it runs with. Starts it beside the running one. */
  diagnose(name: string, signal: AbortSignal): AsyncGenerator<StageResult, void> {
    const issues = issuesAbout(name, this.#definitions.issues)
    return diagnoseOwned({ name, owned: this.definitionOf(name), issues }, this.#options, signal)
  }

  /** Sends the log of a server to a listener until the returned function is called. */
  followLog(name: string, listener: LogListener): () => void {
    return this.#logs.follow(name, (observer) => this.bridge.observe(name, observer), listener)
  }

  close(): Promise<void> {
    this.#logs.close()
    return this.bridge.close()
  }

  /** Never rejects: an error appears in the status of the server. */
  async #restart(name: string): Promise<void> {
    const { onChange } = this.#options
    onChange()
    await this.bridge.restart(name).catch(() => undefined)
    onChange()
  }

  /** Unlike a restart, does not keep the connections of the account while the server refuses new ones. */
  async #stopAndStart(name: string): Promise<void> {
    const others = this.#definitions.wanted.filter((spec) => spec.name !== name)
    await this.bridge.apply(others).catch(() => undefined)
    await this.#apply()
  }

  #define(): void {
    this.#definitions = defineServers(this.#saved, this.#options)
  }

  /** Never rejects: an error appears in the status of the servers that it affects. */
  async #apply(): Promise<void> {
    await this.#tryToApply().catch(() => undefined)
  }

  async #tryToApply(): Promise<ApplyReport> {
    const { onChange } = this.#options
    const { wanted } = this.#definitions
    this.#failure = undefined
    onChange()
    try {
      return await this.bridge.apply(wanted)
    } catch (error) {
      if (wanted === this.#definitions.wanted) this.#failure = messageOf(error)
      throw error
    } finally {
      onChange()
    }
  }
}

/** Server definitions to run, and the status of saved servers whose definition is invalid. */
interface Definitions {
  readonly wanted: readonly ServerSpec[]
  readonly refused: readonly ServerStatus[]
  /** Problems of saved servers. */
  readonly issues: readonly Issue[]
}

function defineServers(
  saved: ClearServers,
  { operatorServers: { current }, savedPrograms }: OwnerBridgeOptions,
): Definitions {
  const { specs, issues } = definitionsOf(saved, { taken: namesOf(current), programs: savedPrograms })
  const usable = namesOf(specs)
  const refused = Object.entries(saved).filter(([name]) => !usable.has(name))
  return {
    wanted: [...current, ...specs],
    refused: refused.map(([name, entry]) => refusedStatus(name, entry, issues)),
    issues,
  }
}

function authorityOf(spec: ServerSpec, { operatorServers }: OwnerBridgeOptions): Authority {
  return operatorServers.defines(spec) ? localAuthority() : { kind: 'session' }
}

async function openEmpty(options: OwnerBridgeOptions): Promise<Bridge> {
  const { owner, trust, permissions, approvals, guard, credentials } = options
  const { answerer, journal, onCallEnd, transportOf, quotas, inputs: store } = options
  const origin = consoleOrigin(owner)
  return openBridge({
    servers: [],
    authority: { kind: 'session' },
    authorityOf: (spec) => authorityOf(spec, options),
    origin,
    inputs: inputAnswers({ origin, answerer, store }),
    answerer,
    journal,
    onCallEnd,
    clientInfo: gatewayInfo,
    guard,
    transportOf,
    quotas,
    ...approvals,
    ...(credentials === undefined ? {} : { credentials }),
    ...(trust === undefined ? {} : { trust }),
    permissions: await permissions(),
  })
}

function byName(one: ServerStatus, other: ServerStatus): number {
  return one.name < other.name ? -1 : 1
}

function namesOf(named: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(named.map(({ name }) => name))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
