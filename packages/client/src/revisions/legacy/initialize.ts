import { loadDeferred } from '../../loading/load-deferred.ts'
import { isJsonObject } from '../../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../../jsonrpc/jsonrpc.ts'
import type { ClientCapabilities, ServerDescription } from '../../model/capability.ts'
import type { McpTransport, RequestOptions } from '../../jsonrpc/transport.ts'
import type { HostOptions } from '../codec.ts'
import { declaredCapabilities, THIS_CLIENT } from '../declared-capabilities.ts'
import { isImplementation } from '../is-implementation.ts'
import { supportedVersionsIn } from '../unsupported-version.ts'
import { LATEST_LEGACY_VERSION, legacyVersion, mutualVersions } from '../versions.ts'

/** Performs the handshake. No other request may be sent before it resolves. */
export async function initialize(
  transport: McpTransport,
  host: HostOptions,
  options: RequestOptions,
): Promise<ServerDescription> {
  const result = await offer(transport, host, options)
  const description =
    readHandshake(result, legacyVersion) ?? (await loadDeferred()).otherHandshake(result, host)
  transport.setProtocolVersion?.(description.protocolVersion)
  await transport.notify('notifications/initialized')
  // Before the next request: the server may send messages there at once.
  await transport.listen?.()
  const { logLevel: level } = host
  if (level !== undefined && description.capabilities.logging !== undefined)
    await transport.request('logging/setLevel', { level }, options)
  return description
}

/** Some servers refuse an unknown version and name those they know, instead of choosing one. */
async function offer(transport: McpTransport, host: HostOptions, options: RequestOptions): Promise<unknown> {
  const params = { capabilities: handshakeCapabilities(host), clientInfo: host.clientInfo ?? THIS_CLIENT }
  const { version: requested = LATEST_LEGACY_VERSION } = host
  const ask = (protocolVersion: string): Promise<unknown> =>
    transport.request('initialize', { protocolVersion, ...params }, options)
  try {
    return await ask(requested)
  } catch (error) {
    return ask(wantedVersion(error, requested))
  }
}

/** Returns the version that a refusal asks for. Throws the refusal if this client does not speak it. */
function wantedVersion(refusal: unknown, requested: string): string {
  const isAboutVersion = refusal instanceof McpError && refusal.code === McpErrorCode.InvalidParams
  const { legacy } = mutualVersions(isAboutVersion ? supportedVersionsIn(refusal) : [])
  if (legacy === undefined || legacy === requested) throw refusal
  return legacy
}

function handshakeCapabilities(host: HostOptions): ClientCapabilities {
  const declared = declaredCapabilities(host)
  return declared.roots === undefined ? declared : { ...declared, roots: { listChanged: true } }
}

/** The answer to `initialize`; undefined if it is invalid or `acceptVersion` does not accept its version. */
export function readHandshake(
  result: unknown,
  acceptVersion: (answered: unknown) => string | undefined,
): ServerDescription | undefined {
  if (!isJsonObject(result)) return undefined
  const { capabilities, serverInfo, instructions } = result
  const protocolVersion = acceptVersion(result['protocolVersion'])
  if (protocolVersion === undefined || !isJsonObject(capabilities) || !isImplementation(serverInfo))
    return undefined
  return {
    protocolVersion,
    capabilities,
    serverInfo,
    ...(typeof instructions === 'string' ? { instructions } : {}),
  }
}
