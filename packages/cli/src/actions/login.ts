import { type IssuerSignInRequest, type IssuerSignInSettings, paths } from '@toolbridge/api'
import { loopbackAuthProvider } from '@toolbridge/client/auth-node'
import {
  authorizationUrl,
  callbackParameters,
  createPkce,
  createState,
  isJsonObject,
  type JsonObject,
  printable,
  processCallback,
} from '@toolbridge/client/internal'
import { signInMs } from '../accounts.ts'
import type { Invocation } from '../command.ts'
import { ExitCode } from '../exit-code.ts'
import {
  removeAccount,
  gatewayOrigin,
  storeAccount,
  storedAccount,
  storedAccounts,
  requestGateway,
} from '../gateway-account.ts'
import { print, printError, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

/** Runs `toolbridge login`. */
export async function runLogin(invocation: Invocation): Promise<ExitCode> {
  const { terminal, positionals } = invocation
  if (positionals.length === 0) return listAccounts(terminal)
  const gateway = gatewayOrigin(positionals[0])
  const settings = await answerOf(await requestGateway(terminal, gateway + paths.signIn, { method: 'GET' }))
  if (settings === undefined) return unreachable(terminal, gateway)
  const request = await signInAt(issuerIn(settings, gateway), invocation)
  const post = { method: 'POST', body: request }
  const answer = await answerOf(await requestGateway(terminal, gateway + paths.signIn, post))
  if (answer === undefined) return unreachable(terminal, gateway)
  const { token, principal } = answer
  if (typeof token !== 'string' || typeof principal !== 'string')
    throw new UsageError(`${gateway} refused the sign-in. Ask its operator for access`)
  const previous = await storedAccount(terminal, gateway)
  await storeAccount(terminal, gateway, { token, principal })
  if (previous !== undefined) await revoke(terminal, gateway, previous.token)
  print(terminal, printable(`Signed in to ${gateway} as ${principal}.`))
  return ExitCode.Ok
}

async function listAccounts(terminal: Terminal): Promise<ExitCode> {
  const accounts = await storedAccounts(terminal)
  if (accounts.size === 0) print(terminal, 'Not signed in to a gateway.')
  for (const [gateway, { principal }] of accounts) print(terminal, printable(`${gateway}  as ${principal}`))
  return ExitCode.Ok
}

/** Runs `toolbridge logout`. */
export async function runLogout({ terminal, options, positionals }: Invocation): Promise<ExitCode> {
  const gateway = gatewayOrigin(positionals[0])
  const account = await storedAccount(terminal, gateway)
  if (account === undefined) {
    print(terminal, `Not signed in to ${gateway}.`)
    return ExitCode.Ok
  }
  const isEverywhere = options['everywhere'] === true
  const response = await revoke(terminal, gateway, account.token, isEverywhere ? '?everywhere=1' : '')
  await removeAccount(terminal, gateway)
  if (response === undefined) return unreachable(terminal, gateway)
  // The status is 401 if it had expired or was revoked before: then nothing was done for the others.
  if (isEverywhere && !response.ok)
    throw new UsageError(
      `the sign-in had expired, so others were not ended. Repeat after: toolbridge login ${gateway}`,
    )
  print(terminal, `Signed out of ${gateway}.`)
  return ExitCode.Ok
}

function revoke(
  terminal: Terminal,
  gateway: string,
  token: string,
  query: string = '',
): Promise<Response | undefined> {
  return requestGateway(terminal, gateway + paths.signIn + query, { method: 'DELETE', token })
}

/** Sends the person to the issuer, and waits for the callback on loopback. */
async function signInAt(
  settings: IssuerSignInSettings,
  { terminal, options }: Invocation,
): Promise<IssuerSignInRequest> {
  const loopback = loopbackAuthProvider({
    clientMetadata: { client_name: 'Toolbridge' },
    input: terminal.stdin,
    print: (line) => printError(terminal, printable(line)),
    timeoutMs: signInMs,
    ...(options['no-browser'] === true ? { openBrowser: async () => false } : {}),
  })
  const { redirectUrl } = loopback
  const redirectUri = String(typeof redirectUrl === 'function' ? await redirectUrl() : redirectUrl)
  const { verifier, challenge } = await createPkce()
  const [state, nonce] = [createState(), createState()]
  const { issuer, authorizationEndpoint, clientId, scope } = settings
  const url = authorizationUrl(
    { issuer, authorization_endpoint: authorizationEndpoint },
    { clientId, scope, redirectUri, state, codeChallenge: challenge },
  )
  url.searchParams.set('nonce', nonce)
  const callback = await loopback.redirectToAuthorization(url, { signal: terminal.signal })
  const expected = { state, issuer, issuerIsPromised: false }
  const { code } = processCallback(callbackParameters(String(callback ?? '')), expected)
  return { authorizationCode: code, codeVerifier: verifier, nonce, redirectUri }
}

/** Throws if the gateway has no sign-in for programs. */
function issuerIn({ issuer }: JsonObject, gateway: string): IssuerSignInSettings {
  const fields = ['issuer', 'authorizationEndpoint', 'clientId', 'scope']
  if (isJsonObject(issuer) && fields.every((field) => typeof issuer[field] === 'string'))
    return issuer as unknown as IssuerSignInSettings
  throw new UsageError(
    `${gateway} has no sign-in at an issuer. On its machine, toolbridge open prints an address to sign in`,
  )
}

/** Undefined if there is no response, or it is not of a gateway. */
async function answerOf(response: Response | undefined): Promise<JsonObject | undefined> {
  const answer: unknown = await response?.json().catch(() => undefined)
  return isJsonObject(answer) && response?.status !== 503 ? answer : undefined
}

function unreachable(terminal: Terminal, gateway: string): ExitCode {
  printError(
    terminal,
    `toolbridge: ${gateway} does not respond as a gateway. Check the URL, and try again later`,
  )
  return ExitCode.Link
}
