import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import type { ClientCapabilities } from '../../model/capability.ts'
import type { LogLevel } from '../../model/logging.ts'
import type { Wire } from '../../jsonrpc/wire-options.ts'
import type { HostOptions } from '../codec.ts'
import { THIS_CLIENT } from '../declared-capabilities.ts'
import { headerValue } from './header-values.ts'

const PREFIX = 'io.modelcontextprotocol/'

/** The `_meta` of a request of the modern era: the revision and the client's identity. */
export function requestMeta(
  version: string,
  host: HostOptions,
  capabilities: ClientCapabilities,
  logLevel: LogLevel | undefined,
): JsonObject {
  return {
    [`${PREFIX}protocolVersion`]: version,
    [`${PREFIX}clientCapabilities`]: capabilities,
    [`${PREFIX}clientInfo`]: host.clientInfo ?? THIS_CLIENT,
    ...(logLevel === undefined ? {} : { [`${PREFIX}logLevel`]: logLevel }),
  }
}

/** The HTTP headers of a request. `name`: the tool, prompt, resource or task. */
export function requestHeaders(
  version: string,
  method: string,
  name?: unknown,
): NonNullable<Wire['headers']> {
  return {
    'mcp-protocol-version': version,
    'mcp-method': headerValue(method),
    ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
  }
}

/** Whether a result is complete. One without a type is. */
export function isComplete(result: unknown): result is JsonObject {
  if (!isJsonObject(result)) return false
  const { resultType = 'complete' } = result
  return resultType === 'complete'
}
