import type { McpError } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import { failure } from './findings.ts'
import type { Probe } from './probe.ts'
import type { StagedFinding } from './process-failure.ts'
import type { Finding, SuggestedEdit } from './result.ts'

/** Why a server could not be reached by its URL. Undefined for other errors. */
export async function httpFailure(
  error: McpError,
  url: string,
  probe: Probe,
): Promise<StagedFinding | undefined> {
  if (error.kind === 'malformed' && probe.authorization.contentType === 'text/html')
    return {
      stage: 'first-byte',
      finding: await wrongPath('html_answer', 'the URL is that of a web page', url, probe),
    }
  if (error.kind !== 'unreachable') return undefined
  const { status, location } = isJsonObject(error.data) ? error.data : {}
  if (typeof status !== 'number') return { stage: 'spawn', finding: unreachable(error, url) }
  return { stage: 'first-byte', finding: await refused(status, location, url, probe) }
}

async function refused(status: number, location: unknown, url: string, probe: Probe): Promise<Finding> {
  if (status >= 300 && status < 400) return redirected(location)
  if (status === 404)
    return wrongPath('http_not_found', 'there is nothing at the path of the URL (HTTP 404)', url, probe)
  if (status === 405)
    return wrongPath(
      'http_method_refused',
      'the path of the URL does not accept messages (HTTP 405)',
      url,
      probe,
    )
  const fix =
    status >= 500
      ? 'look at the log of the server, and try again'
      : 'check the URL and the headers of the entry'
  return failure('http_status', `the server answers with HTTP ${status}`, fix)
}

function redirected(location: unknown): Finding {
  if (typeof location !== 'string')
    return failure(
      'redirected',
      'the server redirects to another address',
      'ask its operator for the right URL',
    )
  const seen = `the server redirects to ${location}, which is not followed, because it would get your credentials`
  return failure('redirected', seen, `if that is right, set "url" to ${location}`, {
    edit: urlEdit(location),
  })
}

function urlEdit(value: string): SuggestedEdit {
  return { kind: 'url', value }
}

/** Looks for the server at the usual paths of the same origin. */
async function wrongPath(
  code: 'html_answer' | 'http_not_found' | 'http_method_refused',
  seen: string,
  url: string,
  probe: Probe,
): Promise<Finding> {
  const found = await otherEndpoint(url, probe)
  if (found === undefined)
    return failure(code, seen, 'correct the path in "url"; the usual one of an MCP server is /mcp')
  return failure(code, `${seen}; a server answers at ${found}`, `set "url" to ${found}`, {
    edit: urlEdit(found),
  })
}

async function otherEndpoint(url: string, probe: Probe): Promise<string | undefined> {
  const { origin, pathname } = new URL(url)
  const paths = ['/mcp', `${pathname.replace(/\/$/, '')}/mcp`, '/sse', '/']
  const candidates = new Set(paths.filter((path) => path !== pathname).map((path) => `${origin}${path}`))
  for (const candidate of candidates) if (await probe.answersAt(candidate)) return candidate
  return undefined
}

const untrustedCodes: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])

function unreachable(error: McpError, url: string): Finding {
  const { origin, host } = new URL(url)
  const code = systemCode(error)
  if (code === 'ECONNREFUSED')
    return failure(
      'connection_refused',
      `nothing listens at ${origin}`,
      `start the server, or correct the port in "url"`,
    )
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return failure(
      'host_unknown',
      `there is no host of the name ${host}`,
      'correct the host in "url", or check the network',
    )
  if (untrustedCodes.has(code)) {
    const seen = `the certificate of ${origin} is not signed by an authority that Node knows (${code})`
    const fix = 'trust its authority: set NODE_EXTRA_CA_CERTS to the path of its certificate as a PEM file'
    return failure('tls_untrusted', seen, fix)
  }
  if (/CERT|TLS|SSL|EPROTO/.test(code)) {
    const seen = `the TLS connection to ${origin} fails (${code})`
    const fix =
      code === 'EPROTO'
        ? 'if the server does not speak TLS, begin "url" with http:'
        : 'ask its operator to renew the certificate, or correct the host in "url"'
    return failure('tls_failed', seen, fix)
  }
  return failure('connection_failed', error.message, 'check the network, a proxy (HTTPS_PROXY) and "url"')
}

/** The code of the system, which the cause carries, or the cause of the cause. */
function systemCode(error: McpError): string {
  let cause: unknown = error.cause
  for (let depth = 0; depth < 4 && cause instanceof Error; depth++) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code
    cause = cause.cause
  }
  return ''
}
