import { join } from 'node:path'
import type { HttpServerSpec, ResolvedSpec, ServerSpec } from '@toolbridge/bridge/config'
import { type OAuthCredentials, oauthCredentials } from '@toolbridge/bridge/oauth'
import { McpUnauthorizedError } from '@toolbridge/client'
import {
  type AuthStore,
  type ClientMetadata,
  createAuthProvider,
  type TokenRecord,
} from '@toolbridge/client/auth'
import { fileAuthStore, loopbackAuthProvider } from '@toolbridge/client/auth-node'
import { parsedUrl, printable, shellWord } from '@toolbridge/client/internal'
import { isTyped } from './servers/typed-servers.ts'
import { printError, type Terminal } from './terminal.ts'
import { ownFolder } from './trust.ts'

/** Principal of the accounts: the user of this machine, under the name that the gateway uses too. */
const accountOwner = 'local'

/** Timeout of a sign-in. */
export const signInMs: number = 10 * 60_000

const clientMetadata: ClientMetadata = { client_name: 'Toolbridge' }

/** The stored accounts of this user for these servers. Starts no sign-in: a missing account fails with a hint. */
export function keptAccounts(terminal: Terminal, servers: readonly ServerSpec[] = []): OAuthCredentials {
  const provider = createAuthProvider(accountStore(terminal), {
    clientMetadata,
    redirectUrl: () => Promise.reject(new McpUnauthorizedError('not signed in')),
    redirectToAuthorization: () => undefined,
  })
  return oauthCredentials({ provider, advice: adviceFor(servers) })
}

/** The stored accounts of this user for one server. Starts a sign-in where the account is missing. */
export function signingIn(
  terminal: Terminal,
  server: ServerSpec,
  { mayOpenBrowser, onSent }: { readonly mayOpenBrowser: boolean; readonly onSent: () => void },
): OAuthCredentials {
  const store = accountStore(terminal)
  const provider = (spec: HttpServerSpec): ReturnType<typeof loopbackAuthProvider> => {
    const port = callbackPort(spec)
    const loopback = loopbackAuthProvider({
      store,
      clientMetadata,
      input: terminal.stdin,
      print: (line) => printError(terminal, printable(line)),
      timeoutMs: signInMs,
      ...(port === undefined ? {} : { port }),
      ...(mayOpenBrowser ? {} : { openBrowser: async () => false }),
    })
    return {
      ...loopback,
      redirectToAuthorization(url, options) {
        onSent()
        return loopback.redirectToAuthorization(url, options)
      },
    }
  }
  return oauthCredentials({ provider, advice: adviceFor([server]) })
}

/** A stored account: its issuer and tokens. */
export interface KeptAccount {
  readonly issuer: string
  readonly record: TokenRecord | undefined
}

/** Looks up the account for a server. Asks nobody and sends nothing. */
export async function keptAccount(terminal: Terminal, spec: ResolvedSpec): Promise<KeptAccount | undefined> {
  if (spec.transport === 'stdio') return undefined
  const store = accountStore(terminal)
  const known = await store.knownServer(new URL(spec.url).href, accountOwner)
  if (known === undefined) return undefined
  const { issuer, resource } = known
  return { issuer, record: await store.tokens({ issuer, resource, principal: accountOwner }) }
}

/** Revokes the tokens of an account. Removes them from this machine even if that fails. */
export async function signOut(terminal: Terminal, spec: ResolvedSpec): Promise<void> {
  const accounts = keptAccounts(terminal)
  const { authorization } = accounts.of(spec, accountOwner) ?? {}
  if (typeof authorization === 'function') authorization(spec, undefined)
  await accounts.signOut(spec.name, accountOwner, { signal: terminal.signal })
}

/** Where the accounts of this user are: in the user's own folder, which a project cannot change. */
export function accountStore(terminal: Terminal): AuthStore {
  return fileAuthStore({ folder: join(ownFolder(terminal), 'auth') })
}

/** How to sign in to each of these servers. Does not quote a URL of the command line, which may contain a secret. */
function adviceFor(servers: readonly ServerSpec[]): (server: string) => string {
  const typed = new Set(servers.filter(isTyped).map(({ name }) => name))
  return (server) => {
    const target = typed.has(server) ? '--http <url>' : shellWord(printable(server))
    return `sign in with: toolbridge auth login ${target}. If it takes an API key, set it in its headers`
  }
}

/** Callback port of a client that was registered by hand. */
function callbackPort({ auth = {} }: HttpServerSpec): number | undefined {
  const { callbackPort: port, redirectUri = '' } = auth
  if (port !== undefined) return port
  const named = Number(parsedUrl(redirectUri)?.port)
  return named > 0 ? named : undefined
}
