import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import type { ClientCapabilities } from '../../model/capability.ts'
import type { LogLevel } from '../../model/logging.ts'
import type { Wire } from '../../jsonrpc/wire-options.ts'
import type { HostOptions } from '../codec.ts'
import { THIS_CLIENT } from '../declared-capabilities.ts'
import { headerValue } from './header-values.ts'

const PREFIX = 'io.modelcontextprotocol/'

/** What a request without a handshake says in `_meta`: which revision it speaks, and who speaks it. */
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

/** What HTTP repeats in headers; `name` is what the request is about. */
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

/** A result without a type is complete. */
export function isComplete(result: unknown): result is JsonObject {
  if (!isJsonObject(result)) return false
  const { resultType = 'complete' } = result
  return resultType === 'complete'
}
