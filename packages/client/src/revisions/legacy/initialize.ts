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
  const description = readHandshake(result, host)
  if (description === undefined) throw (await loadDeferred()).unusableHandshake(result)
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
  const { version: offered = LATEST_LEGACY_VERSION } = host
  const ask = (protocolVersion: string): Promise<unknown> =>
    transport.request('initialize', { protocolVersion, ...params }, options)
  try {
    return await ask(offered)
  } catch (error) {
    return ask(wantedVersion(error, offered))
  }
}

/** Returns the version that a refusal asks for. Throws the refusal if this client does not speak it. */
function wantedVersion(refusal: unknown, offered: string): string {
  const isAboutVersion = refusal instanceof McpError && refusal.code === McpErrorCode.InvalidParams
  const { legacy } = mutualVersions(isAboutVersion ? supportedVersionsIn(refusal) : [])
  if (legacy === undefined || legacy === offered) throw refusal
  return legacy
}

function handshakeCapabilities(host: HostOptions): ClientCapabilities {
  const declared = declaredCapabilities(host)
  return declared.roots === undefined ? declared : { ...declared, roots: { listChanged: true } }
}

function readHandshake(result: unknown, host: HostOptions): ServerDescription | undefined {
  if (!isJsonObject(result)) return undefined
  const { capabilities, serverInfo, instructions } = result
  const answered = result['protocolVersion']
  const protocolVersion = host.acceptsAnyVersion === true ? anyVersion(answered) : legacyVersion(answered)
  if (protocolVersion === undefined || !isJsonObject(capabilities) || !isImplementation(serverInfo))
    return undefined
  return {
    protocolVersion,
    capabilities,
    serverInfo,
    ...(typeof instructions === 'string' ? { instructions } : {}),
  }
}

/** A revision that can be sent in a header. */
function anyVersion(answered: unknown): string | undefined {
  return typeof answered === 'string' && /^[\w.-]{1,64}$/.test(answered) ? answered : undefined
}
