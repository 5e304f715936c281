import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import type { Implementation, ServerDescription } from '../../model/capability.ts'
import { isImplementation } from '../is-implementation.ts'
import { isVersionList } from '../unsupported-version.ts'
import { isComplete } from './request-envelope.ts'

/** A server's answer to `server/discover`. */
export interface Discovery {
  readonly supportedVersions: readonly string[]
  readonly capabilities: JsonObject
  readonly serverInfo: Implementation
  readonly instructions?: string
  /** How long it is valid. */
  readonly ttlMs: number
}

/** Servers need not identify themselves. */
const ANONYMOUS: Implementation = { name: 'unnamed server', version: 'unknown' }

/** Parses the answer to `server/discover`. Undefined if it is not a valid one. */
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

/** Converts a discovery into a `ServerDescription`. */
export function describe(discovery: Discovery, protocolVersion: string): ServerDescription {
  const { capabilities, serverInfo, instructions } = discovery
  return {
    protocolVersion,
    capabilities,
    serverInfo,
    ...(instructions === undefined ? {} : { instructions }),
  }
}

/** In `_meta` since the revision was published. Drafts had it in the body. */
function serverInfoOf({ _meta, serverInfo }: JsonObject): Implementation {
  const inMeta = isJsonObject(_meta) ? _meta['io.modelcontextprotocol/serverInfo'] : undefined
  return [inMeta, serverInfo].find(isImplementation) ?? ANONYMOUS
}
