import { join, resolve } from 'node:path'
import { ConfigError, type PermissionRules } from '@toolbridge/bridge'
import type { Issue, ServerSpec, TrustStore } from '@toolbridge/bridge/config'
import type { CredentialsOf } from '@toolbridge/bridge/connections'
import { checkPermissions, fileGrantStore, filePinStore } from '@toolbridge/bridge/permissions'
import { allowInsecureHttp, allowLoopback, type UrlGuardOptions } from '@toolbridge/client/auth'
import { isDatabaseUrl, type Lockbox, openLockbox } from '@toolbridge/lockbox'
import { createApp } from './app.ts'
import { GatewayError } from './errors/gateway-error.ts'
import { type Listening, listen } from './http/listen.ts'
import { type Closable, ResourceStack } from './lifecycle/resource-stack.ts'
import { makeFolder } from './make-folder.ts'
import type { ApprovalStores } from './owners/owner-bridge.ts'
import { createServices, type GatewayServices } from './services.ts'
import { openMcpToken } from './sign-in/mcp-token.ts'
import { openOwnerToken } from './sign-in/owner-token.ts'
import { type Authenticate, localPrincipal } from './sign-in/principal.ts'
import { createSignIn, isSameSecret, type SignIn } from './sign-in/sign-in.ts'

export interface GatewayOptions {
  /** Where the key, the tokens, approvals and the embedded database are kept; made when missing. */
  readonly dataFolder: string
  /** A PostgreSQL to use in place of the embedded database. */
  readonly databaseUrl?: string
  /** `127.0.0.1` unless told. */
  readonly hostname?: string
  /** Any free port unless told. */
  readonly port?: number
  /** Further `host:port` pairs under which the gateway is reached. */
  readonly allowedAuthorities?: readonly string[]
  /** Servers of the person who starts the gateway: they may use this machine's environment and files. */
  readonly operatorServers?: readonly ServerSpec[]
  /** What that person agreed to start of a project's own files; nothing unless told. */
  readonly trust?: TrustStore
  /** The folder of the built console. */
  readonly consoleFolder?: string
  /** Mode `ask` without rules unless told: calls of MCP hosts and workflows wait for approval in the inbox. */
  readonly permissions?: PermissionRules
  /** Accounts of that person at servers that want a sign-in. */
  readonly credentials?: CredentialsOf
  readonly log?: (line: string) => void
  /** Aborting while the gateway starts closes what was opened and rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** A running gateway. */
export interface Gateway {
  readonly url: string
  /** The bearer for MCP hosts on this machine; a secret. */
  readonly mcpToken: string
  /** The file that holds it. */
  readonly mcpTokenFile: string
  /** An address that signs in once, within ten minutes: whoever opens it is the local owner. */
  signInUrl(): string
  /** Stops taking requests, ends streams and calls, stops every server and closes the store. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens the store, the port and the services, in this order. When one of them fails, those before it are closed. Rejects with
 * a `ConfigError`, before anything is opened, when the rules or the address of the database are none.
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

function checkOptions({ permissions = {}, databaseUrl }: GatewayOptions): void {
  checkPermissions(permissions)
  if (databaseUrl !== undefined && !isDatabaseUrl(databaseUrl)) throw ConfigError.of([notADatabase])
}

/** Does not quote the address: what is in it may be a password. */
const notADatabase: Issue = {
  code: 'database_invalid',
  severity: 'error',
  file: 'gateway options',
  path: '/databaseUrl',
  message: 'the address of the database is not a PostgreSQL address',
  fix: 'write postgres://user:password@host/database, with / ? # and @ in the password as %2F %3F %23 %40',
}

async function open(options: GatewayOptions, closing: ResourceStack): Promise<Gateway> {
  const { dataFolder, hostname = '127.0.0.1', port = 0, allowedAuthorities = [], signal } = options
  const lockbox = closing.add(await openStore(options))
  const mcpTokenFile = join(dataFolder, 'mcp-token')
  const mcpToken = await openMcpToken(mcpTokenFile)
  const signIn = createSignIn(localPrincipal)
  const listening = closing.add(await listen({ hostname, port, allowedAuthorities }))
  const { token: ownerToken } = closing.add(await openOwnerToken(dataFolder, listening.url))
  signal?.throwIfAborted()
  const stopping = new AbortController()
  const services = closing.add(
    createServices({
      ...options,
      permissions: guardedRules(options),
      approvals: approvalStoresIn(dataFolder),
      lockbox,
      guard: guardFor(hostname, allowedAuthorities),
      authenticate: authenticateLocal(signIn, { mcp: mcpToken, code: ownerToken }),
      exchangeCode: (code) => signIn.exchange(code),
      issueCode: () => signIn.issueCode(),
      authorities: listening.authorities,
      stopping: stopping.signal,
    }),
  )
  closing.add(endOfRequests(services, listening, stopping))
  listening.serve(createApp(services))
  warmUp(services)
  return {
    url: listening.url,
    mcpToken,
    mcpTokenFile,
    signInUrl: () => `${listening.url}/#code=${signIn.issueCode()}`,
    close: () => closing.close(),
  }
}

/** What decides over calls is nothing for a call to write. */
function guardedRules({ permissions = {}, dataFolder }: GatewayOptions): PermissionRules {
  const { controlFiles = [] } = permissions
  return { ...permissions, controlFiles: [...controlFiles, `${resolve(dataFolder)}/*`] }
}

function approvalStoresIn(dataFolder: string): ApprovalStores {
  return {
    grants: fileGrantStore(join(dataFolder, 'grants')),
    pins: filePinStore(join(dataFolder, 'pins')),
  }
}

/** Questions that are still open were asked by calls of a former process: nobody waits for their answers any more. */
async function openStore({ dataFolder, databaseUrl, signal }: GatewayOptions): Promise<Lockbox> {
  await makeFolder(dataFolder)
  const lockbox = await openLockbox({
    location: databaseUrl ?? join(dataFolder, 'lockbox'),
    keyring: { file: join(dataFolder, 'key') },
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

/** Who can reach the gateway only from this machine saves servers of this machine; anybody else's must be public. */
function guardFor(hostname: string, allowedAuthorities: readonly string[]): UrlGuardOptions {
  const isPrivate = ['127.0.0.1', '::1', 'localhost'].includes(hostname) && allowedAuthorities.length === 0
  return isPrivate ? { [allowLoopback]: true, [allowInsecureHttp]: true } : {}
}

/** Each token file is accepted for its own audience only. */
function authenticateLocal(signIn: SignIn, tokens: Readonly<Record<'mcp' | 'code', string>>): Authenticate {
  return (token, audience) => {
    if (audience !== 'api' && isSameSecret(token, tokens[audience])) return localPrincipal
    return audience === 'code' ? undefined : signIn.principalOf(token)
  }
}

/** The servers of who started the gateway are on their way before the first request; a failure shows with that one. */
function warmUp({ owners, log }: GatewayServices): void {
  owners.open(localPrincipal.id).catch((error: unknown) => {
    log(`the servers could not be started: ${error instanceof Error ? error.message : String(error)}`)
  })
}

/** Streams and calls end before the port is given up, which otherwise would wait for them. */
function endOfRequests(services: GatewayServices, listening: Listening, stopping: AbortController): Closable {
  return {
    async close() {
      stopping.abort(new GatewayError('stopping', 'try again when it is back'))
      await services.mcp.close()
      await listening.close()
    },
  }
}
