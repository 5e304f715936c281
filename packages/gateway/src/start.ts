import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PermissionRules, ServerSpec } from '@toolbridge/bridge'
import { type Lockbox, openKeyring, openLockbox } from '@toolbridge/lockbox'
import { createApp } from './app.ts'
import { type Closable, Closing } from './closing.ts'
import { GatewayError } from './gateway-error.ts'
import { openMcpToken } from './mcp-token.ts'
import { type Authenticate, localPrincipal } from './principal.ts'
import { type Listening, listen } from './server.ts'
import { createServices, type GatewayServices } from './services.ts'
import { createSignIn, isSameSecret, type SignIn } from './sign-in.ts'

export interface GatewayOptions {
  /** Where the key, the token for MCP hosts and the embedded database are kept; made when missing. */
  readonly dataFolder: string
  /** A PostgreSQL to use in place of the embedded database. */
  readonly databaseUrl?: string
  /** `127.0.0.1` unless told. */
  readonly host?: string
  /** Any free port unless told. */
  readonly port?: number
  /** Further `host:port` pairs under which the gateway is reached. */
  readonly allowedHosts?: readonly string[]
  /** Servers of the person who starts the gateway: they may use this machine's environment and files. */
  readonly operatorServers?: readonly ServerSpec[]
  /** The folder of the built console. */
  readonly consoleFolder?: string
  /** Mode `ask` without rules unless told: calls of MCP hosts and workflows wait for approval in the inbox. */
  readonly permissions?: PermissionRules
  readonly log?: (line: string) => void
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

/** Opens the store, the services and the port, in this order. When one of them fails, those before it are closed. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const closing = new Closing()
  try {
    return await open(options, closing)
  } catch (error) {
    await closing.close().catch(() => undefined)
    throw error
  }
}

async function open(options: GatewayOptions, closing: Closing): Promise<Gateway> {
  const { dataFolder, host = '127.0.0.1', port = 0, allowedHosts = [] } = options
  const lockbox = closing.add(await openStore(options))
  const mcpTokenFile = join(dataFolder, 'mcp-token')
  const mcpToken = await openMcpToken(mcpTokenFile)
  const signIn = createSignIn(localPrincipal)
  const listening = closing.add(await listen({ host, port, allowedHosts }))
  const stopping = new AbortController()
  const services = closing.add(
    createServices({
      ...options,
      lockbox,
      authenticate: authenticateLocal(signIn, mcpToken),
      exchangeCode: (code) => signIn.exchange(code),
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

/** Questions that are still open were asked by calls of a former process: nobody waits for their answers any more. */
async function openStore({ dataFolder, databaseUrl }: GatewayOptions): Promise<Lockbox> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const keyring = await openKeyring({ file: join(dataFolder, 'key') })
  const lockbox = await openLockbox({ location: databaseUrl ?? join(dataFolder, 'lockbox'), keyring })
  try {
    await lockbox.inbox.withdrawAll()
    return lockbox
  } catch (error) {
    await lockbox.close().catch(() => undefined)
    throw error
  }
}

/** The token in the file opens the endpoint for MCP hosts and nothing else. */
function authenticateLocal(signIn: SignIn, mcpToken: string): Authenticate {
  return (token, door) => {
    if (door === 'mcp' && isSameSecret(token, mcpToken)) return localPrincipal
    return signIn.principalOf(token)
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
