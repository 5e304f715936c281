import type { IssuerSignInRequest, IssuerSignInSettings } from '@toolbridge/api'

/** The parts of `Window` that a sign-in at the issuer uses. */
export interface IssuerFlowWindow {
  readonly location: Pick<Location, 'assign' | 'hash' | 'pathname' | 'search'>
  readonly history: Pick<History, 'replaceState'>
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

/** What the page must remember while the person is at the issuer. Of this tab only: another site cannot finish the flow. */
interface Flow {
  readonly issuer: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

const flowKey = 'toolbridge.issuer-flow'

/** Sends the person to the issuer, with a code challenge (PKCE). */
export async function goToIssuer(window: IssuerFlowWindow, settings: IssuerSignInSettings): Promise<void> {
  const { issuer } = settings
  const flow: Flow = { issuer, state: randomText(), nonce: randomText(), codeVerifier: randomText() }
  window.sessionStorage.setItem(flowKey, JSON.stringify(flow))
  window.location.assign(await authorizationUrl(settings, flow))
}

/** Takes what the issuer answered out of the URL. Undefined if there is nothing; `refused` if it is not an answer to this tab. */
export function takeIssuerAnswer(window: IssuerFlowWindow): IssuerSignInRequest | 'refused' | undefined {
  const { search, pathname, hash } = window.location
  const answer = new URLSearchParams(search)
  const state = answer.get('state')
  if (state === null) return undefined
  window.history.replaceState(null, '', pathname + hash)
  const flow = takeFlow(window.sessionStorage)
  const authorizationCode = answer.get('code')
  // RFC 9207: the answer of another issuer must not be used.
  const isOfIssuer = (answer.get('iss') ?? flow?.issuer) === flow?.issuer
  if (authorizationCode === null || flow?.state !== state || !isOfIssuer) return 'refused'
  return { authorizationCode, codeVerifier: flow.codeVerifier, nonce: flow.nonce }
}

function takeFlow(storage: IssuerFlowWindow['sessionStorage']): Flow | undefined {
  const stored = storage.getItem(flowKey)
  storage.removeItem(flowKey)
  return stored === null ? undefined : (JSON.parse(stored) as Flow)
}

async function authorizationUrl(settings: IssuerSignInSettings, flow: Flow): Promise<string> {
  const url = new URL(settings.authorizationEndpoint)
  const parameters = {
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: settings.redirectUri,
    scope: settings.scope,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await challengeOf(flow.codeVerifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

async function challengeOf(verifier: string): Promise<string> {
  return base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)).buffer)
}

function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
