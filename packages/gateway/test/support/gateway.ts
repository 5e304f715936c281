import type { BridgeOptions, PermissionRules, ServerSpec } from '@toolbridge/bridge'
import type { AuthStore, UrlGuardOptions } from '@toolbridge/client/auth'
import type { Lockbox } from '@toolbridge/lockbox'
import { canary, look } from '@toolbridge/testkit/secrets'
import type { Hono } from 'hono'
import { createApp } from '../../src/app.ts'
import { GatewayError } from '../../src/errors/gateway-error.ts'
import type { GatewayEnv } from '../../src/http/gateway-env.ts'
import type { ToolsMode } from '../../src/mcp/tools-mode.ts'
import type { HostFiles } from '../../src/settings/found-servers.ts'
import type { OperationOptions } from '../../src/operations.ts'
import type { ProgramRules } from '../../src/sandbox/sandboxed-program.ts'
import type { ApprovalStores } from '../../src/owners/owner-bridge.ts'
import { createServices, type GatewayServices } from '../../src/services.ts'
import { linkInMemory } from '../../../bridge/test/servers/in-memory.ts'
import type { People } from '../../src/sign-in/oidc/people.ts'
import { localPrincipal } from '../../src/sign-in/principal.ts'
import type { ProtectedResource } from '../../src/sign-in/protected-resource.ts'
import { createSignInCodes, type SignInCodes } from '../../src/sign-in/sign-in-codes.ts'
import { checkContract } from './contract.ts'
import { watchAnswers } from './watched-app.ts'

export interface TestGatewayOptions extends OperationOptions {
  readonly metricsToken?: string
  readonly lockbox: Lockbox
  readonly operatorServers?: readonly ServerSpec[]
  readonly permissions?: PermissionRules
  readonly guard?: UrlGuardOptions
  readonly consoleFolder?: string
  /** Principals beside the local owner. Default: `ada` and `bob`. */
  readonly principals?: readonly string[]
  /** People of an issuer, beside the principals. The gateway closes it. */
  readonly people?: People
  readonly protectedResource?: ProtectedResource
  readonly hostHeaders?: ReadonlySet<string>
  readonly proxies?: ReadonlySet<string>
  readonly ownerToken?: string
  readonly savedPrograms?: ProgramRules
  readonly tools?: ToolsMode
  readonly hostFiles?: HostFiles
  /** Default: servers in memory. */
  readonly transportOf?: NonNullable<BridgeOptions['transportOf']>
  readonly approvals?: ApprovalStores
  readonly signInCallback?: string
  readonly accounts?: AuthStore
}

/** The application with two people and the local owner signed in, each with their own token. */
export interface TestGateway extends AsyncDisposable {
  readonly app: Hono<GatewayEnv>
  readonly services: GatewayServices
  readonly codes: SignInCodes
  readonly logged: readonly string[]
  as(principal: string): Caller
  /** Sends requests with this bearer token. */
  with(token: string): Caller
  stop(): void
}

/** Sends requests as one principal. */
export interface Caller {
  get(path: string, init?: RequestInit): Promise<Response>
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>
  put(path: string, body: unknown): Promise<Response>
  /** Sends a body, as JSON unless it is a text. */
  send(method: string, path: string, body: unknown, init?: RequestInit): Promise<Response>
  delete(path: string): Promise<Response>
}

export function createTestGateway(options: TestGatewayOptions): TestGateway {
  const principals = ['local', ...(options.principals ?? ['ada', 'bob'])]
  const logged: string[] = []
  const stopping = new AbortController()
  const codes = createSignInCodes(localPrincipal)
  const services = createServices({
    permissions: { mode: 'allow' },
    transportOf: linkInMemory,
    ...options,
    authenticate: (token, audience) => {
      if (audience === 'mcp' && token === canary('host')) return localPrincipal
      const id = principals.find((name) => token === canary(name))
      if (id === undefined) return options.people?.principalOf(token, audience)
      if (audience === 'owner' && id !== 'local') return undefined
      return id === localPrincipal.id ? localPrincipal : { id, role: 'member' }
    },
    redeemCode: (code) => codes.redeem(code),
    ...(options.people?.signIn === undefined ? {} : { issuerSignIn: options.people.signIn }),
    revokeToken: async (token) => options.people?.signOut(token),
    revokeTokensOf: async (principal) => options.people?.signOutEverywhere(principal),
    issueCode: () => codes.issue(),
    hostHeaders: options.hostHeaders ?? new Set(['localhost']),
    stopping: stopping.signal,
    log: (line) => {
      look('output', line, 'the log of the gateway')
      logged.push(line)
    },
  })
  const app = createApp(services)
  watchAnswers(app)
  const contract = checkContract(app)
  const stop = (): void => stopping.abort(new GatewayError('stopping', 'try again'))
  return {
    app,
    services,
    codes,
    logged,
    as: (principal) => callerOf(app, canary(principal)),
    with: (token) => callerOf(app, token),
    stop,
    async [Symbol.asyncDispose]() {
      stop()
      await services.close()
      await options.people?.close()
      const violations = await contract.violations()
      if (violations.length > 0)
        throw new Error(`not as described in packages/api/src/openapi:\n${violations.join('\n')}`)
    },
  }
}

/** The `authorization` header of a principal, or of the local owner's `host`. */
export function bearerOf(name: string): string {
  return `Bearer ${canary(name)}`
}

function callerOf(app: Hono<GatewayEnv>, token: string): Caller {
  const request = async (path: string, init: RequestInit): Promise<Response> => app.request(path, init)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send: Caller['send'] = (method, path, body, init) =>
    request(path, {
      method,
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    })
  return {
    get: (path, init) => request(path, { headers, ...init }),
    post: (path, body, init) => send('POST', path, body, init),
    put: (path, body) => send('PUT', path, body),
    send,
    delete: (path) => request(path, { method: 'DELETE', headers }),
  }
}
