import { paths } from '@toolbridge/api'
import { ConfigError, type Issue, type ServerSpec } from '@toolbridge/bridge'
import type { TransportOf } from '@toolbridge/bridge/connections'

/**
 * Wraps what creates transports so that it throws a `ConfigError` for the gateway's own MCP endpoint: as a server of the
 * same gateway it would list its own tools again and again, under longer and longer names.
 */
export function refusingOwnEndpoint(
  hostHeaders: ReadonlySet<string>,
  transportOf?: TransportOf,
): TransportOf {
  return (spec) => {
    if (spec.transport !== 'stdio' && isOwnEndpoint(spec.url, hostHeaders))
      throw ConfigError.of([ownEndpoint(spec)])
    return transportOf?.(spec)
  }
}

/** A request with another `Host` header is refused anyway. The path is compared as the router does. */
function isOwnEndpoint(url: string, hostHeaders: ReadonlySet<string>): boolean {
  const { host, pathname } = new URL(url)
  return hostHeaders.has(host) && decoded(pathname) === paths.mcp
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function ownEndpoint({ name, source: { file, pointer } }: ServerSpec): Issue {
  return {
    code: 'own_endpoint',
    severity: 'error',
    file,
    path: pointer,
    message: `server "${name}" is this gateway itself`,
    fix: 'remove it: the gateway lists its own servers already',
  }
}
