import { isJsonObject } from '../json.ts'
import { McpError, McpErrorCode, malformedError } from '../jsonrpc.ts'
import type { ClientCapabilities, ServerDescription } from '../model/capability.ts'
import type { McpTransport, RequestOptions } from '../transport.ts'
import type { ClientHost } from './codec.ts'
import { declaredCapabilities } from './declared.ts'
import { isImplementation } from './discover.ts'
import { supportedIn } from './refused-version.ts'
import { isLegacyVersion, LATEST_LEGACY_VERSION, mutualVersions } from './versions.ts'

/** Opens a conversation by the handshake. Nothing else may be asked before it resolves. */
export async function initialize(
  transport: McpTransport,
  host: ClientHost,
  options: RequestOptions,
): Promise<ServerDescription> {
  const description = parseInitializeResult(await offer(transport, host, options))
  if (!isLegacyVersion(description.protocolVersion)) throw unknownVersion(description.protocolVersion)
  transport.setProtocolVersion?.(description.protocolVersion)
  await transport.notify('notifications/initialized')
  // Before anything else is asked: what the server says there meanwhile may be lost.
  await transport.listen?.()
  await requestLogs(transport, host, description, options)
  return description
}

/** Some servers do not choose a version themselves but refuse and say which they know. */
async function offer(transport: McpTransport, host: ClientHost, options: RequestOptions): Promise<unknown> {
  const params = { capabilities: handshakeCapabilities(host), clientInfo: host.clientInfo }
  const ask = (protocolVersion: string): Promise<unknown> =>
    transport.request('initialize', { protocolVersion, ...params }, options)
  try {
    return await ask(LATEST_LEGACY_VERSION)
  } catch (error) {
    const isAboutVersion = error instanceof McpError && error.code === McpErrorCode.InvalidParams
    const { legacy } = mutualVersions(isAboutVersion ? supportedIn(error) : [])
    if (legacy === undefined || legacy === LATEST_LEGACY_VERSION) throw error
    return ask(legacy)
  }
}

function handshakeCapabilities(host: ClientHost): ClientCapabilities {
  const declared = declaredCapabilities(host)
  return declared.roots === undefined ? declared : { ...declared, roots: { listChanged: true } }
}

async function requestLogs(
  transport: McpTransport,
  { logLevel }: ClientHost,
  { capabilities }: ServerDescription,
  options: RequestOptions,
): Promise<void> {
  if (logLevel === undefined || capabilities.logging === undefined) return
  await transport.request('logging/setLevel', { level: logLevel }, options)
}

function parseInitializeResult(result: unknown): ServerDescription {
  const { protocolVersion, capabilities, serverInfo, instructions } = isJsonObject(result) ? result : {}
  const issues = [
    ...(typeof protocolVersion === 'string' ? [] : ['protocolVersion is not a string']),
    ...(isJsonObject(capabilities) ? [] : ['capabilities is not an object']),
    ...(isImplementation(serverInfo) ? [] : ['serverInfo lacks a name or a version']),
  ]
  if (typeof protocolVersion !== 'string' || !isJsonObject(capabilities) || !isImplementation(serverInfo)) {
    throw malformedError(`the server's answer to initialize is not usable: ${issues.join(', ')}`)
  }
  return {
    protocolVersion,
    capabilities,
    serverInfo,
    ...(typeof instructions === 'string' ? { instructions } : {}),
  }
}

function unknownVersion(version: string): McpError {
  return new McpError(
    `the server speaks protocol version ${JSON.stringify(version)}, which this client does not`,
    {
      kind: 'unsupported',
      code: McpErrorCode.InvalidRequest,
    },
  )
}
