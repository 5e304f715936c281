import { parsedUrl } from '../../text/parsed-url.ts'
import type { AuthStage } from './auth-request.ts'
import { McpAuthError } from './mcp-auth-error.ts'

const MAX_SHOWN_ADDRESS = 200

/** A URL without user, query and fragment, which can contain secrets. For messages. */
export function redactedUrl(address: string): string {
  const url = parsedUrl(address)
  if (url === undefined) return 'an invalid URL'
  const hasUser = url.username !== '' || url.password !== ''
  const written = hasUser ? `${url.origin}${url.pathname}` : (address.split(/[?#]/, 1)[0] ?? '')
  return written.replaceAll(/[^\x21-\x7e]/g, '').slice(0, MAX_SHOWN_ADDRESS)
}

/** Whether a hostname, as normalized by `URL`, is `localhost`, a name below it, or a loopback address. */
export function isLoopbackHostname(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  )
}

/** Rules for the endpoints that an authorization server names. */
export interface EndpointRules {
  readonly stage: AuthStage
  /** Allows `http:` for other machines than this one. Default: false. */
  readonly allowInsecureHttp?: boolean
}

/** Returns the endpoint unchanged if credentials may be sent to it; else throws `endpoint_unsafe`. */
export function checkedEndpoint(name: string, endpoint: string, rules: EndpointRules): string {
  const url = parsedUrl(endpoint)
  if (url === undefined) throw unsafe(`${name} is not an absolute URL`, rules)
  if (url.username !== '' || url.password !== '')
    throw unsafe(`${name} contains a user name or password`, rules)
  if (url.hash !== '') throw unsafe(`${name} has a fragment`, rules)
  if (url.protocol === 'https:') return endpoint
  const isAllowedHttp =
    url.protocol === 'http:' && (isLoopbackHostname(url.hostname) || rules.allowInsecureHttp === true)
  if (!isAllowedHttp) throw unsafe(`${name} (${url.protocol}//${url.host}) is not an https URL`, rules)
  return endpoint
}

function unsafe(happened: string, rules: EndpointRules): McpAuthError {
  return new McpAuthError(happened, {
    code: 'endpoint_unsafe',
    stage: rules.stage,
    fix: 'ask the operator of the server to publish an https URL without credentials or fragment (http is accepted only for this machine)',
  })
}
