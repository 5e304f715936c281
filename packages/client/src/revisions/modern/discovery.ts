import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import type { Implementation, ServerDescription } from '../../model/capability.ts'
import { isImplementation } from '../is-implementation.ts'
import { isVersionList } from '../unsupported-version.ts'
import { isComplete } from './request-envelope.ts'

/** What a server without a handshake says of itself. */
export interface Discovery {
  readonly supportedVersions: readonly string[]
  readonly capabilities: JsonObject
  readonly serverInfo: Implementation
  readonly instructions?: string
  /** For how long this may be relied on. */
  readonly ttlMs: number
}

/** A server need not say who it is. */
const ANONYMOUS: Implementation = { name: 'unnamed server', version: 'unknown' }

/** Reads the answer to `server/discover`; undefined if it is none, as from a server that answers anything. */
export function parseDiscovery(result: unknown): Discovery | undefined {
  if (!isComplete(result)) return undefined
  const { supportedVersions, capabilities, instructions, ttlMs } = result
  if (!isVersionList(supportedVersions)) return undefined
  return {
    supportedVersions,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    serverInfo: serverInfoOf(result),
    ttlMs: typeof ttlMs === 'number' ? ttlMs : 0,
    ...(typeof instructions === 'string' ? { instructions } : {}),
  }
}

/** The same as a client describes any server. */
export function describe(discovery: Discovery, protocolVersion: string): ServerDescription {
  const { capabilities, serverInfo, instructions } = discovery
  return {
    protocolVersion,
    capabilities,
    serverInfo,
    ...(instructions === undefined ? {} : { instructions }),
  }
}

/** In `_meta` since the revision was published; drafts had it in the body. */
function serverInfoOf({ _meta, serverInfo }: JsonObject): Implementation {
  const inMeta = isJsonObject(_meta) ? _meta['io.modelcontextprotocol/serverInfo'] : undefined
  return [inMeta, serverInfo].find(isImplementation) ?? ANONYMOUS
}
