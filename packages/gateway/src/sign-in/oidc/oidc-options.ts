import type { Issue } from '@toolbridge/bridge/config'
import { isLoopbackHostname, parsedUrl } from '@toolbridge/client/internal'

/** Lets people sign in with the tokens of an OpenID Connect issuer. */
export interface OidcOptions {
  /** URL of the issuer, as it is in its metadata and in `iss` of its tokens. */
  readonly issuer: string
  /** Value that `aud` of an access token must contain. */
  readonly audience: string
  /** Id of the console's client at the issuer. Its redirect URI is the gateway's public URL and a slash. Default: no client. */
  readonly clientId?: string
  /** Secret of that client. A secret. Default: a public client. */
  readonly clientSecret?: string
  /** Claim that identifies a person. It must never be given to someone else. Default: `sub`. */
  readonly principalClaim?: string
  /** Which people may sign in, and their roles. Default: everyone with a valid token, as `member`. */
  readonly roles?: OidcRoles
}

/** Maps the values of a claim to roles. A person with none of the values is refused. */
export interface OidcRoles {
  /** Name of the claim, a text or a list of texts, such as `groups`. */
  readonly claim: string
  /** Values that make a member. Default: none. */
  readonly member?: readonly string[]
  /** Values that make an administrator. Default: none. */
  readonly admin?: readonly string[]
}

/** Returns what is wrong with the options. */
export function oidcIssues({ issuer, audience, clientId, clientSecret }: OidcOptions): readonly Issue[] {
  return [
    ...(isIssuerUrl(issuer) ? [] : [issueAt('issuer', 'the issuer is not an https URL', issuerFix)]),
    ...(audience === '' ? [issueAt('audience', 'the audience is empty', audienceFix)] : []),
    ...(clientSecret !== undefined && clientId === undefined
      ? [issueAt('clientSecret', 'a client secret is given without a client id', 'give the client id')]
      : []),
  ]
}

const issuerFix = 'write the URL of the issuer without query, such as https://login.example'
const audienceFix = 'write the value of "aud" in the tokens for this gateway'

function isIssuerUrl(text: string): boolean {
  const url = parsedUrl(text)
  if (url === undefined) return false
  const { search, hash, username } = url
  return isSafeUrl(text) && search === '' && hash === '' && username === ''
}

/** Whether nobody on the network can read or replace what is at the URL. */
export function isSafeUrl(text: string): boolean {
  const url = parsedUrl(text)
  if (url === undefined) return false
  const { protocol, hostname } = url
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHostname(hostname))
}

function issueAt(field: keyof OidcOptions, message: string, fix: string): Issue {
  const path = `/oidc/${field}`
  return { code: 'oidc_invalid', severity: 'error', file: 'gateway options', path, message, fix }
}
