import { loadDeferred } from '../../loading/load-deferred.ts'
import { McpError } from '../../jsonrpc/jsonrpc.ts'
import { hasNodeBuiltins } from '../../runtime/has-node-builtins.ts'
import type { IncomingMcpHandlers, McpTransport, RequestOptions } from '../../jsonrpc/transport.ts'
import { isClientError, statusOf } from '../../http/http-errors.ts'
import { type WireOptions, wire } from '../../jsonrpc/wire-options.ts'
import type { HostOptions } from '../codec.ts'
import { declaredCapabilities } from '../declared-capabilities.ts'
import { type Discovery, parseDiscovery } from '../modern/discovery.ts'
import { requestHeaders, requestMeta } from '../modern/request-envelope.ts'
import { ModernErrorCode } from '../unsupported-version.ts'
import { LATEST_MODERN_VERSION, mutualVersions } from '../versions.ts'

/** The server speaks the modern era. */
export interface ModernFinding {
  readonly era: 'modern'
  readonly version: string
  readonly discovery: Discovery
}

/** Result of a probe. */
export type Finding =
  | ModernFinding
  /** `cause`: the server's refusal, if any. `isGone`: the server ended because of the probe. */
  | { readonly era: 'legacy'; readonly cause?: unknown; readonly isGone: boolean }
  /** The server speaks only revisions unknown to this client. */
  | { readonly era: 'foreign'; readonly supported: readonly string[]; readonly cause: McpError }
  /** The server must be probed again with this version. */
  | { readonly era: 'unclear'; readonly version: string; readonly cause: McpError }

/** A server to probe, with the number of probes so far. */
export interface ProbeTarget {
  readonly transport: McpTransport
  /** The handlers of the transport. */
  readonly handlers: IncomingMcpHandlers
  readonly host: HostOptions
  readonly options: RequestOptions
  probes: number
}

/**
 * Probes the era of a server, twice if the server names another version. Rejects with an error that does not reveal the
 * era.
 */
export async function probe(asker: ProbeTarget): Promise<Exclude<Finding, { era: 'unclear' | 'foreign' }>> {
  const first = await ask(asker, LATEST_MODERN_VERSION)
  const last = first.era === 'unclear' ? await ask(asker, first.version) : first
  if (last.era === 'unclear') throw last.cause
  if (last.era === 'foreign') throw (await loadDeferred()).noCommonVersion(last.supported, last.cause)
  return last
}

async function ask(asker: ProbeTarget, version: string): Promise<Finding> {
  const { transport, host } = asker
  const _meta = requestMeta(version, host, declaredCapabilities(host), host.logLevel)
  const headers = transport.usesHttp === true ? requestHeaders(version, 'server/discover') : undefined
  // A string, so that a late answer cannot match another request.
  const id = `discover-${++asker.probes}`
  const options = { ...asker.options, [wire]: { id, isProbe: true, headers } }
  try {
    return judgeAnswer(parseDiscovery(await discover(asker, { _meta }, options)))
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    return judgeError(error, transport)
  }
}

/** Over HTTP a timeout is an outage. Any other transport may lead to a process that is still starting. */
async function discover(asker: ProbeTarget, params: object, options: WireOptions): Promise<unknown> {
  return asker.transport.usesHttp === true
    ? asker.transport.request('server/discover', params, options)
    : (await loadDeferred()).discoverWhileStarting(asker, params, options)
}

function judgeAnswer(discovery: Discovery | undefined): Finding {
  const { modern } = mutualVersions(discovery?.supportedVersions ?? [])
  if (discovery === undefined || modern === undefined) return { era: 'legacy', isGone: false }
  return { era: 'modern', version: modern, discovery }
}

function judgeError(error: McpError, transport: McpTransport): Finding | Promise<Finding> {
  switch (error.kind) {
    case 'peer':
      return judgeRefusal(error)
    case 'timeout':
    case 'malformed':
      if (transport.usesHttp === true) throw error
      return { era: 'legacy', cause: error, isGone: false }
    case 'closed':
      if (transport.restart === undefined || transport.usesHttp === true) throw error
      return { era: 'legacy', cause: error, isGone: true }
    case 'unreachable':
      if (!isClientError(error) && !isHiddenByBrowser(error)) throw error
      return { era: 'legacy', cause: error, isGone: false }
    case 'unauthorized':
    case 'unsupported':
      throw error
  }
}

/** Legacy servers refuse unknown methods with any code. */
function judgeRefusal(error: McpError): Finding | Promise<Finding> {
  if ((statusOf(error) ?? 0) >= 500) throw error
  switch (error.code) {
    case ModernErrorCode.HeaderMismatch:
    case ModernErrorCode.MissingClientCapability:
      throw error
    case ModernErrorCode.UnsupportedVersion:
      return loadDeferred().then(({ judgeVersions }) => judgeVersions(error))
    default:
      return { era: 'legacy', cause: error, isGone: false }
  }
}

/** A browser hides that the server refused the headers (CORS) and reports a network error. */
function isHiddenByBrowser(error: McpError): boolean {
  return !hasNodeBuiltins() && statusOf(error) === undefined
}
