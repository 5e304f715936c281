import type { AuthStage } from './auth-request.ts'
import { McpAuthError } from './mcp-auth-error.ts'

const MAX_SHOWN_ADDRESS = 200

/** An address as it was written, as far as it may be shown: without user, query and fragment, which can hold secrets. */
export function redactedUrl(address: string): string {
  const url = parseUrl(address)
  if (url === undefined) return 'an address that cannot be read'
  const hasUser = url.username !== '' || url.password !== ''
  const written = hasUser ? `${url.origin}${url.pathname}` : (address.split(/[?#]/, 1)[0] ?? '')
  return written.replaceAll(/[^\x21-\x7e]/g, '').slice(0, MAX_SHOWN_ADDRESS)
}

/** The address as a URL, or undefined if it is none. */
export function parseUrl(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined
}

/** Whether a host is this machine: a name under `localhost` or a loopback address, as `URL` writes them. */
export function isLoopbackHostname(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  )
}

/** Which addresses an authorization server may name. */
export interface EndpointRules {
  readonly stage: AuthStage
  /** Lets `http:` pass for hosts other than this machine. */
  readonly allowInsecureHttp?: boolean
}

/** The endpoint as it was written, if it is one that credentials may be sent to. */
export function checkedEndpoint(name: string, endpoint: string, rules: EndpointRules): string {
  const url = parseUrl(endpoint)
  if (url === undefined) throw unsafe(`${name} is not an absolute URL`, rules)
  if (url.username !== '' || url.password !== '') throw unsafe(`${name} holds a user name or password`, rules)
  if (url.hash !== '') throw unsafe(`${name} has a fragment`, rules)
  if (url.protocol === 'https:') return endpoint
  const isAllowedHttp =
    url.protocol === 'http:' && (isLoopbackHostname(url.hostname) || rules.allowInsecureHttp === true)
  if (!isAllowedHttp) throw unsafe(`${name} (${url.protocol}//${url.host}) is not an https address`, rules)
  return endpoint
}

function unsafe(happened: string, rules: EndpointRules): McpAuthError {
  return new McpAuthError(happened, {
    code: 'endpoint_unsafe',
    stage: rules.stage,
    fix: 'have whoever runs the server publish an https address without credentials or fragment (http is accepted only for this machine)',
  })
}
