import { join, resolve } from 'node:path'
import { paths } from '@toolbridge/api'
import { type ApplyReport, ConfigError, type PermissionRules } from '@toolbridge/bridge'
import type { Issue, ServerSpec, TrustStore } from '@toolbridge/bridge/config'
import { checkPermissions } from '@toolbridge/bridge/permissions'
import { allowInsecureHttp, allowLoopback, type AuthStore } from '@toolbridge/client/auth'
import { isLoopbackHostname, printable } from '@toolbridge/client/internal'
import { isDatabaseUrl, type KeySource, type Lockbox, openLockbox } from '@toolbridge/lockbox'
import { createApp } from './app.ts'
import { GatewayError } from './errors/gateway-error.ts'
import { bracketed, type Listening, listen } from './http/listen.ts'
import { sharedRequestsPerSecond } from './limits/gateway-limits.ts'
import { logCheckpoints } from './lifecycle/audit-checkpoints.ts'
import { type Closable, ResourceStack } from './lifecycle/resource-stack.ts'
import { makeFolder, requireOwnFolder } from './make-folder.ts'
import type { ToolsMode } from './mcp/tools-mode.ts'
import { type OperationOptions, operationIssues } from './operations.ts'
import { approvalStores } from './owners/approval-stores.ts'
import { checkSandbox } from './sandbox/check-sandbox.ts'
import { type SandboxOptions, sandboxIssues } from './sandbox/sandbox-options.ts'
import { createServices, type GatewayServices } from './services.ts'
import type { HostFiles } from './settings/found-servers.ts'
import { openToken } from './sign-in/token-file.ts'
import { openOwnerToken } from './sign-in/owner-token.ts'
import { type OidcOptions, oidcIssues } from './sign-in/oidc/oidc-options.ts'
import type { People } from './sign-in/oidc/people.ts'
import { localPrincipal, type Principal, type TokenAudience } from './sign-in/principal.ts'
import { secretCheck } from './sign-in/secrets.ts'
import { createSignInCodes } from './sign-in/sign-in-codes.ts'

/** Options of `startGateway`. */
export interface GatewayOptions extends OperationOptions {
  /** Folder for the key, tokens, approvals and the embedded database. Created if missing. */
  readonly dataFolder: string
  /** URL of a PostgreSQL database. Default: the embedded database. */
  readonly databaseUrl?: string
  /** Source of the key that encrypts the store. Default: the file `key` in the data folder. */
  readonly key?: KeySource
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly hostname?: string
  /** Port to listen on. Default: any free port. */
  readonly port?: number
  /** Whether any free port is used if `port` is in use. Default: false: the start fails. */
  readonly mayUseOtherPort?: boolean
  /** Further accepted values of the `Host` header, such as the name of a proxy. Default: none. */
  readonly allowedHostHeaders?: readonly string[]
  /**
   * URL at which others reach the gateway, such as `https://tools.example` of a proxy. Its host is an accepted value of the
   * `Host` header, and it is the start of sign-in URLs. Default: the address that the gateway listens on.
   */
  readonly publicUrl?: string
  /**
   * Whether saved servers may be programs, which the gateway starts. Default: only if the gateway can be reached from this
   * machine alone.
   */
  readonly savedPrograms?: boolean
  /**
   * Runs the programs of saved servers as another user, and only those that it allows. Takes precedence over `savedPrograms`. The
   * start fails if the sandbox does not keep programs away from the gateway. Default: no sandbox.
   */
  readonly sandbox?: SandboxOptions
  /**
   * Lets people sign in with an OpenID Connect issuer. Saved servers can then be programs only with `sandbox`. Default: only the
   * local owner.
   */
  readonly oidc?: OidcOptions
  /** Whether `GET /metrics` exists. It requires the token in `<dataFolder>/metrics-token`. Default: false. */
  readonly metrics?: boolean
  /** Servers of the person who starts the gateway. They may use the environment and files of this machine. Default: none. */
  readonly operatorServers?: readonly ServerSpec[]
  /** Decides which servers of project files may start. Default: none may. */
  readonly trust?: TrustStore
  /**
   * Where files of MCP hosts are searched for servers that the local owner can import in the console. Only used if the gateway can be
   * reached from this machine alone. Default: nowhere.
   */
  readonly hostFiles?: HostFiles
  /** How MCP hosts get the tools if their URL does not name it with `?tools=`. Default: `all`. */
  readonly tools?: ToolsMode
  /** Folder of the built console. Default: no pages are served. */
  readonly consoleFolder?: string
  /** Permission rules. Default: mode `ask`: calls of MCP hosts and workflows wait for approval in the inbox. */
  readonly permissions?: PermissionRules
  /** Store of that person's accounts at `operatorServers`. Default: encrypted rows, as at saved servers. */
  readonly accounts?: AuthStore
  /** Receives log lines, without line breaks and control characters. Default: they are discarded. */
  readonly log?: (line: string) => void
  /** Aborts the start: closes what was opened and rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** A running gateway. */
export interface Gateway {
  /** URL that the gateway listens on. */
  readonly url: string
  /** URL for people and MCP hosts: `publicUrl` of the options, else `url`. */
  readonly publicUrl: string
  /** Bearer token for MCP hosts on this machine. A secret. */
  readonly mcpToken: string
  /** File that contains `mcpToken`. */
  readonly mcpTokenFile: string
  /** Creates a URL that signs in as the local owner, once and within ten minutes. */
  signInUrl(): string
  /**
   * Replaces `operatorServers`. Resolves when all starts are done; rejects if a required server fails, and then nothing
   * changes. A running server continues if its changed definition does not start.
   */
  applyOperatorServers(servers: readonly ServerSpec[]): Promise<ApplyReport>
  /**
   * Replaces the permission rules for calls that begin from now on. Rejects with a `ConfigError`, and changes nothing, if they
   * are invalid.
   */
  applyPermissions(rules: PermissionRules): Promise<void>
  /**
   * Refuses new calls, workflow runs and MCP sessions, and is no longer ready. Resolves when the running calls have ended and are
   * stored, or after the timeout. Everything else works until `close`.
   */
  drain(timeoutMs: number): Promise<void>
  /** Stops accepting requests, ends streams and calls, stops every server and closes the store. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens the store, the port and the services. Closes everything again if one of them fails. Rejects with a `ConfigError`
 * before opening anything if the permission rules or the database URL are invalid.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  checkOptions(options)
  const closing = new ResourceStack()
  try {
    return await open(options, closing)
  } catch (error) {
    await closing.close().catch(() => undefined)
    throw error
  }
}

function checkOptions(options: GatewayOptions): void {
  const { permissions = {}, databaseUrl, oidc, savedPrograms, sandbox } = options
  checkPermissions(permissions)
  const issues = [
    ...(databaseUrl !== undefined && !isDatabaseUrl(databaseUrl) ? [notADatabase] : []),
    ...(oidc === undefined ? [] : oidcIssues(oidc)),
    ...(oidc !== undefined && savedPrograms === true ? [programsOfPeople] : []),
    ...(sandbox === undefined ? [] : sandboxIssues(sandbox)),
    ...operationIssues(options),
  ]
  if (issues.length > 0) throw ConfigError.of(issues)
}

/** A program with the gateway's user id can read its keys. */
const programsOfPeople: Issue = {
  code: 'saved_programs_invalid',
  severity: 'error',
  file: 'gateway options',
  path: '/savedPrograms',
  message: 'people who sign in at an issuer cannot start programs: they would run as the user of the gateway',
  fix: 'use "sandbox" instead of "savedPrograms", or add programs to the servers of the operator',
}

/** Does not quote the URL, which may contain a password. */
const notADatabase: Issue = {
  code: 'database_invalid',
  severity: 'error',
  file: 'gateway options',
  path: '/databaseUrl',
  message: 'the database URL is not a PostgreSQL URL',
  fix: 'write postgres://user:password@host/database, with / ? # and @ in the password as %2F %3F %23 %40',
}

async function open(options: GatewayOptions, closing: ResourceStack): Promise<Gateway> {
  const { dataFolder, hostname = '127.0.0.1', port = 0, mayUseOtherPort = false, signal } = options
  const allowedHostHeaders = hostHeadersOf(options)
  const { oidc } = options
  const log = (line: string): void => options.log?.(printable(line))
  const isPrivate =
    isLoopbackHostname(bracketed(hostname)) && allowedHostHeaders.length === 0 && oidc === undefined
  await makeFolder(dataFolder)
  await requireOwnFolder(dataFolder)
  const mcpTokenFile = join(dataFolder, 'mcp-token')
  const mcpToken = await openToken(mcpTokenFile)
  if (options.sandbox !== undefined) await checkSandbox(options.sandbox, { privateFile: mcpTokenFile })
  const lockbox = closing.add(await openStore(options))
  closing.add(logCheckpoints(lockbox.audit, log))
  const codes = createSignInCodes(localPrincipal)
  const listening = closing.add(await listen({ hostname, port, mayUseOtherPort, allowedHostHeaders }))
  const { url } = listening
  const publicUrl = options.publicUrl === undefined ? url : new URL(options.publicUrl).origin
  const { token: ownerToken } = closing.add(await openOwnerToken(dataFolder, { url, publicUrl }))
  signal?.throwIfAborted()
  const people = oidc && closing.add(await openPeople(oidc, { publicUrl, lockbox, log }))
  const local = authenticateLocal({ mcp: mcpToken, owner: ownerToken, account: ownerToken })
  const stopping = new AbortController()
  const services = closing.add(
    createServices({
      ...withoutHostFiles(options, isPrivate),
      log,
      limits: { ...(isPrivate ? {} : { requestsPerSecond: sharedRequestsPerSecond }), ...options.limits },
      ...(options.metrics === true
        ? { metricsToken: await openToken(join(dataFolder, 'metrics-token')) }
        : {}),
      permissions: guardedRules(dataFolder, options.permissions),
      approvals: approvalStores(dataFolder, lockbox),
      lockbox,
      guard: isPrivate ? { [allowLoopback]: true, [allowInsecureHttp]: true } : {},
      savedPrograms: options.sandbox ?? options.savedPrograms ?? isPrivate,
      authenticate: (token, audience) => local(token, audience) ?? people?.principalOf(token, audience),
      ...(people && {
        revokeToken: (token: string) => people.signOut(token),
        revokeTokensOf: (principal: string) => people.signOutEverywhere(principal),
      }),
      ...(oidc && { protectedResource: { resource: publicUrl + paths.mcp, issuer: oidc.issuer } }),
      ...(people?.signIn === undefined ? {} : { issuerSignIn: people.signIn }),
      redeemCode: (code) => codes.redeem(code),
      issueCode: () => codes.issue(),
      ownerToken,
      signInCallback: publicUrl + paths.oauthCallbackPage,
      hostHeaders: listening.hostHeaders,
      proxies: new Set(allowedHostHeaders.map((name) => name.toLowerCase())),
      stopping: stopping.signal,
    }),
  )
  closing.add(endOfRequests(services, listening, stopping))
  listening.serve(createApp(services))
  warmUp(services)
  return {
    url,
    publicUrl,
    mcpToken,
    mcpTokenFile,
    signInUrl: () => `${publicUrl}/#code=${codes.issue()}`,
    applyOperatorServers: (servers) => services.applyOperatorServers(servers),
    applyPermissions: (rules) => services.applyPermissions(guardedRules(dataFolder, rules)),
    drain: (timeoutMs) => drain(services, timeoutMs),
    close: () => closing.close(),
  }
}

/** Files of this machine cannot be imported on a gateway that others can reach. */
function withoutHostFiles({ hostFiles, ...options }: GatewayOptions, isPrivate: boolean): GatewayOptions {
  return isPrivate && hostFiles !== undefined ? { ...options, hostFiles } : options
}

async function drain({ calls, activity, log }: GatewayServices, timeoutMs: number): Promise<void> {
  const seconds = timeoutMs / 1_000
  if (calls.running > 0) log(`waiting up to ${seconds} s for ${countOf(calls.running)} to end`)
  await calls.drain(timeoutMs)
  if (calls.running > 0)
    log(`${countOf(calls.running)} did not end within ${seconds} s and will be cancelled`)
  await activity.flush()
}

function countOf(calls: number): string {
  return calls === 1 ? '1 running call' : `${calls} running calls`
}

/** Protects the data folder: a tool call must not change the files that decide about calls. */
function guardedRules(dataFolder: string, rules: PermissionRules = {}): PermissionRules {
  const { controlFiles = [] } = rules
  return { ...rules, controlFiles: [...controlFiles, `${resolve(dataFolder)}/*`] }
}

/** Withdraws open questions: their calls ended with the previous process, because only one can have the store open. */
async function openStore({ dataFolder, databaseUrl, key, signal }: GatewayOptions): Promise<Lockbox> {
  const lockbox = await openLockbox({
    location: databaseUrl ?? join(dataFolder, 'lockbox'),
    keyring: key ?? { file: join(dataFolder, 'key') },
    exclusive: true,
    ...(signal === undefined ? {} : { signal }),
  })
  try {
    await lockbox.inbox.withdrawAll()
    return lockbox
  } catch (error) {
    await lockbox.close().catch(() => undefined)
    throw error
  }
}

function hostHeadersOf({ allowedHostHeaders = [], publicUrl }: GatewayOptions): readonly string[] {
  return publicUrl === undefined ? allowedHostHeaders : [...allowedHostHeaders, new URL(publicUrl).host]
}

/** Imported on demand: most gateways have one user, and need no library for tokens. */
async function openPeople(
  oidc: OidcOptions,
  { publicUrl, lockbox, log }: { publicUrl: string; lockbox: Lockbox; log: (line: string) => void },
): Promise<People> {
  const { createPeople } = await import('./sign-in/oidc/people.ts')
  return createPeople({ oidc, redirectUri: `${publicUrl}/`, store: lockbox.bearerTokens, log })
}

/** Each token file is valid for its own audiences only. */
function authenticateLocal(
  tokens: Readonly<Record<Exclude<TokenAudience, 'api'>, string>>,
): (token: string, audience: TokenAudience) => Principal | undefined {
  const checks = {
    mcp: secretCheck(tokens.mcp),
    owner: secretCheck(tokens.owner),
    account: secretCheck(tokens.account),
  }
  return (token, audience) => (audience !== 'api' && checks[audience](token) ? localPrincipal : undefined)
}

/** Starts the local owner's servers before the first request. A failure is logged, and the first request repeats it. */
function warmUp({ owners, log }: GatewayServices): void {
  owners.open(localPrincipal.id).catch((error: unknown) => {
    log(`the servers could not be started: ${error instanceof Error ? error.message : String(error)}`)
  })
}

/** Ends streams and calls before the port is closed, because closing waits for them. */
function endOfRequests(services: GatewayServices, listening: Listening, stopping: AbortController): Closable {
  return {
    async close() {
      stopping.abort(new GatewayError('stopping', 'the gateway is stopping; try again later'))
      await Promise.all([services.mcp.close(), services.relay?.close()])
      await listening.close()
    },
  }
}
