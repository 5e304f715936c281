import { shellWord } from '@toolbridge/client/internal'
import type { McpAuthError } from '@toolbridge/client/auth'
import { isAuthError } from '../auth-error.ts'
import type { HttpServerSpec } from '../config/spec/server-spec.ts'
import { parseVariables } from '../config/variables/variables.ts'
import { ownMachine } from '../credentials/account.ts'
import { messageOf } from '../text/message-of.ts'
import { failure, fine } from './findings.ts'
import type { Probe } from './probe.ts'
import type { Finding } from './result.ts'

/** The sign-in state of a server that accepted the connection. */
export function authorized({ spec, authorization }: Probe): Finding {
  if (spec.transport === 'stdio') return fine('no sign-in is needed', { signIn: 'none' })
  if (headerToken(spec) !== undefined)
    return fine('the token in its headers is accepted', { signIn: 'headers' })
  if (authorization.hasToken) return fine('you are signed in', { signIn: 'signed-in' })
  return fine('no sign-in is needed', { signIn: 'none' })
}

/** Why a server refuses access, with where its tokens come from. */
export async function unauthorized(error: unknown, url: string, probe: Probe): Promise<Finding> {
  const { authorization, spec } = probe
  const { status = 401, challenge = '' } = authorization.refusal ?? {}
  const metadata = await discoveryProblem(url, challenge, probe)
  if (metadata?.code === 'resource_mismatch') return mismatch(metadata)
  const token = spec.transport === 'stdio' ? undefined : headerToken(spec)
  if (token !== undefined) return refusedToken(token, status, await challengeOf(challenge), probe)
  if (status === 403)
    return failure('access_denied', 'the server refuses access (HTTP 403)', 'ask its operator for permission')
  if (authorization.hasToken)
    return failure('token_expired', 'the stored sign-in is no longer accepted', signInAgain(spec.name))
  if (metadata?.code === 'metadata_missing') return withoutMetadata()
  if (metadata !== undefined) return failure('authorization_failed', problemOf(metadata), metadata.fix)
  if (isAuthError(error) && error.code !== 'client_unknown')
    return failure('authorization_failed', problemOf(error), error.fix)
  return failure('sign_in_needed', 'nobody is signed in', signInAgain(spec.name))
}

function signInAgain(server: string): string {
  return `run: toolbridge auth login ${shellWord(server)}`
}

function withoutMetadata(): Finding {
  const seen = 'the server requires a token (HTTP 401) and does not say where to get one'
  const fix =
    'get a token from its operator and add "headers": { "Authorization": "Bearer ${env:TOKEN}" } to the entry'
  return failure('metadata_missing', seen, fix)
}

function mismatch({ message, fix, resource }: McpAuthError): Finding {
  const seen = message.replace(`; ${fix}`, '')
  if (resource === undefined) return failure('resource_mismatch', seen, fix)
  return failure(
    'resource_mismatch',
    seen,
    `set "url" to ${resource}, or ask the operator to correct "resource"`,
    {
      edit: { kind: 'url', value: resource },
    },
  )
}

/** The message of the error without its fix. */
function problemOf(error: McpAuthError): string {
  return messageOf(error).replace(`; ${error.fix}`, '')
}

interface Challenge {
  readonly error?: string | undefined
  readonly errorDescription?: string | undefined
}

function refusedToken(
  token: string,
  status: number,
  { error, errorDescription }: Challenge,
  probe: Probe,
): Finding {
  const said = errorDescription ?? error
  const quote = said === undefined ? '' : `: ${said}`
  const fix = `replace the token: ${whereTokenIs(probe)}`
  if (hasExpired(token) || /\bexpired\b/i.test(said ?? ''))
    return failure('token_expired', `the token in its headers has expired${quote}`, fix)
  if (status === 403)
    return failure(
      'access_denied',
      `the server refuses access (HTTP 403)${quote}`,
      'use a token with more permissions',
    )
  return failure('token_refused', `the server refuses the token in its headers (HTTP 401)${quote}`, fix)
}

/** The environment variable that has the token, or the field. */
function whereTokenIs({ written }: Probe): string {
  const value = written.transport === 'stdio' ? '' : (headerToken(written) ?? '')
  const variable = parseVariables(value).find((piece) => piece.kind === 'env')
  return variable === undefined ? 'set "Authorization" in "headers"' : `set ${variable.name} to a new one`
}

function headerToken({ headers }: HttpServerSpec): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1]
}

/** Whether a token is a JSON Web Token whose time is over. */
function hasExpired(header: string): boolean {
  const [, payload = ''] = header.replace(/^\S+\s+/, '').split('.')
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const isClaims = typeof claims === 'object' && claims !== null && 'exp' in claims
    return isClaims && typeof claims.exp === 'number' && claims.exp * 1000 < Date.now()
  } catch {
    return false
  }
}

/** Loaded on first use: most servers need no authorization. */
async function challengeOf(challenge: string): Promise<Challenge> {
  const { readChallenge } = await import('@toolbridge/client/auth')
  try {
    return readChallenge({ 'www-authenticate': challenge }) ?? {}
  } catch {
    return {}
  }
}

async function discoveryProblem(
  serverUrl: string,
  challenge: string,
  { guard, context: { signal } }: Probe,
): Promise<McpAuthError | undefined> {
  const { discoverAuthorization } = await import('@toolbridge/client/auth')
  const security = guard ?? ownMachine(serverUrl)
  try {
    await discoverAuthorization({
      serverUrl,
      challenge,
      security,
      ...(signal === undefined ? {} : { signal }),
    })
    return undefined
  } catch (error) {
    signal?.throwIfAborted()
    return isAuthError(error) ? error : undefined
  }
}
