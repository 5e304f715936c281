import { join } from 'node:path'
import type { HttpServerSpec, ResolvedSpec } from '@toolbridge/bridge/config'
import { type OAuthCredentials, oauthCredentials } from '@toolbridge/bridge/oauth'
import { McpUnauthorizedError } from '@toolbridge/client'
import {
  type AuthStore,
  type ClientMetadata,
  createAuthProvider,
  type TokenRecord,
} from '@toolbridge/client/auth'
import { fileAuthStore, loopbackAuthProvider } from '@toolbridge/client/auth-node'
import { printable } from './printable.ts'
import { printError, type Terminal } from './terminal.ts'
import { ownFolder } from './trust.ts'

/** Whose accounts the command uses: those of the person at this machine, as the gateway names them too. */
const accountOwner = 'local'

/** How long a person may take to sign in. */
export const signInMs: number = 10 * 60_000

const clientMetadata: ClientMetadata = { client_name: 'Toolbridge' }

/** The accounts that are kept for this person. Nobody is sent to sign in: what is missing is said. */
export function keptAccounts(terminal: Terminal): OAuthCredentials {
  const provider = createAuthProvider(accountStore(terminal), {
    clientMetadata,
    redirectUrl: () => Promise.reject(new McpUnauthorizedError('nobody is signed in')),
    redirectToAuthorization: () => undefined,
  })
  return oauthCredentials({ provider, advice })
}

/** The same with a person at hand, who is sent to sign in where nobody is. */
export function signingIn(
  terminal: Terminal,
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
  return oauthCredentials({ provider, advice })
}

/** What is kept of an account: where it is, and its tokens. */
export interface KeptAccount {
  readonly issuer: string
  readonly record: TokenRecord | undefined
}

/** Looks up the account at a server, without asking anybody. */
export async function keptAccount(terminal: Terminal, spec: ResolvedSpec): Promise<KeptAccount | undefined> {
  if (spec.transport === 'stdio') return undefined
  const store = accountStore(terminal)
  const known = await store.knownServer(new URL(spec.url).href, accountOwner)
  if (known === undefined) return undefined
  const { issuer, resource } = known
  return { issuer, record: await store.tokens({ issuer, resource, principal: accountOwner }) }
}

/** Gives the tokens of an account back, and forgets them even if that fails. */
export async function signOut(terminal: Terminal, spec: ResolvedSpec): Promise<void> {
  const accounts = keptAccounts(terminal)
  const { authorization } = accounts.of(spec, accountOwner) ?? {}
  if (typeof authorization === 'function') authorization(spec, undefined)
  await accounts.signOut(spec.name, accountOwner, { signal: terminal.signal })
}

/** In the person's own folder, which no project can name. */
function accountStore(terminal: Terminal): AuthStore {
  return fileAuthStore({ folder: join(ownFolder(terminal), 'auth') })
}

function advice(server: string): string {
  return `sign in with: toolbridge auth login ${printable(server)}. If it takes a key instead, put it into its headers`
}

/** Where a client that was registered by hand expects people to come back to. */
function callbackPort({ auth = {} }: HttpServerSpec): number | undefined {
  const { callbackPort: port, redirectUri = '' } = auth
  if (port !== undefined || !URL.canParse(redirectUri)) return port
  const named = Number(new URL(redirectUri).port)
  return named > 0 ? named : undefined
}
