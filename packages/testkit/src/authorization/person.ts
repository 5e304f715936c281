import { createHash, randomBytes } from 'node:crypto'

/** Behavior of the simulated person. */
export interface PersonOptions {
  readonly name?: string
  readonly decision?: 'allow' | 'deny'
}

const MAX_PAGES = 12

/**
 * Follows an authorization URL as a browser would, logs in and decides. Resolves with the redirect URL without following
 * it.
 */
export async function visit(authorizationUrl: string | URL, options: PersonOptions = {}): Promise<URL> {
  const { origin } = new URL(authorizationUrl)
  const cookies = new Map<string, string>()
  let response = await open(new URL(authorizationUrl), cookies)
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const location = response.headers.get('location')
    const next = location === null ? undefined : new URL(location, response.url)
    if (next !== undefined && next.origin !== origin) return next
    if (next !== undefined) response = await open(next, cookies)
    else response = await open(new URL(response.url), cookies, formFor(await response.text(), options))
  }
  throw new Error('the authorization server never sent the person back')
}

function formFor(page: string, { name = 'ada', decision = 'allow' }: PersonOptions): URLSearchParams {
  if (page.includes('name="login"')) return new URLSearchParams({ login: name })
  if (page.includes('name="decision"')) return new URLSearchParams({ decision })
  throw new Error(`the authorization server shows an unknown page: ${page.slice(0, 500)}`)
}

async function open(url: URL, cookies: Map<string, string>, form?: URLSearchParams): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { cookie },
    ...(form === undefined ? {} : { method: 'POST', body: form }),
  })
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
  return response
}

/** A completed login. */
export interface LoggedIn {
  readonly clientId: string
  /** The answer of the token endpoint. */
  readonly tokens: {
    readonly access_token: string
    readonly refresh_token: string
    readonly expires_in: number
    readonly scope: string
  }
}

/** Registers a public client and logs a person in, with plain HTTP requests. */
export async function logIn({ issuer, resource }: { issuer: string; resource: string }): Promise<LoggedIn> {
  const redirectUri = 'http://127.0.0.1:9/callback'
  const clientId = await register(issuer, redirectUri)
  const verifier = randomBytes(32).toString('base64url')
  const url = new URL(`${issuer}/auth`)
  url.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'offline_access tools:list tools:call',
      prompt: 'consent',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource,
    }),
  )
  const code = (await visit(url)).searchParams.get('code') ?? ''
  const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri }
  const body = new URLSearchParams({ ...grant, client_id: clientId, resource })
  const response = await fetch(`${issuer}/token`, { method: 'POST', body })
  if (!response.ok) throw new Error(`the login failed: ${await response.text()}`)
  return { clientId, tokens: (await response.json()) as LoggedIn['tokens'] }
}

async function register(issuer: string, redirectUri: string): Promise<string> {
  const response = await fetch(`${issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    }),
  })
  if (!response.ok) throw new Error(`the registration failed: ${await response.text()}`)
  return ((await response.json()) as { client_id: string }).client_id
}
