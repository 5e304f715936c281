import { answerElicitation } from '../elicitation.ts'
import { hostAnswers } from '../features/server-requests.ts'
import { isJsonObject } from '../json.ts'
import { McpError, McpErrorCode, malformedError } from '../jsonrpc.ts'
import type { ClientCapabilities, Implementation, ServerDescription } from '../model/capability.ts'
import type { McpTransport, RequestOptions } from '../transport.ts'
import type { ClientHost, RevisionCodec } from './codec.ts'
import { isLegacyVersion, LATEST_LEGACY_VERSION } from './versions.ts'

/** The era of the `initialize` handshake: 2024-11-05 to 2025-11-25. */
export function legacyCodec(transport: McpTransport, host: ClientHost): RevisionCodec {
  const answer = hostAnswers(host)
  return {
    open: (options) => initialize(transport, host, options),
    request: (method, params, options) => transport.request(method, params, ownQuestions(options)),
    async ping(options) {
      await transport.request('ping', undefined, options)
    },
    async setLogLevel(level, options) {
      await transport.request('logging/setLevel', { level }, options)
    },
    async rootsChanged() {
      if (host.roots !== undefined) await transport.notify('notifications/roots/list_changed')
    },
    onRequest: async (method, params, context) => (method === 'ping' ? {} : answer(method, params, context)),
  }
}

async function initialize(
  transport: McpTransport,
  host: ClientHost,
  options: RequestOptions,
): Promise<ServerDescription> {
  const params = {
    protocolVersion: LATEST_LEGACY_VERSION,
    capabilities: capabilitiesOf(host),
    clientInfo: host.clientInfo,
  }
  const description = parseInitializeResult(await transport.request('initialize', params, options))
  if (!isLegacyVersion(description.protocolVersion)) throw unknownVersion(description.protocolVersion)
  transport.setProtocolVersion?.(description.protocolVersion)
  await transport.notify('notifications/initialized')
  transport.listen?.()
  await requestLogs(transport, host, description, options)
  return description
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

function capabilitiesOf(host: ClientHost): ClientCapabilities {
  const { onElicitation, onSampling, samplingTools, roots, extensions } = host
  return {
    ...(onElicitation === undefined ? {} : { elicitation: { form: {} } }),
    ...(onSampling === undefined ? {} : { sampling: samplingTools ? { tools: {} } : {} }),
    ...(roots === undefined ? {} : { roots: { listChanged: true } }),
    ...(extensions === undefined ? {} : { extensions }),
  }
}

/** A request's own handler is held to the same rules of elicitation as the connection's. */
function ownQuestions(options: RequestOptions): RequestOptions {
  const { onRequest } = options
  if (onRequest === undefined) return options
  return {
    ...options,
    onRequest: (method, params, context) =>
      method === 'elicitation/create'
        ? answerElicitation(params, (request) => onRequest(method, request, context))
        : onRequest(method, params, context),
  }
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

function isImplementation(value: unknown): value is Implementation {
  return isJsonObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string'
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
