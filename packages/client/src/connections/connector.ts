import type { AgentOptions } from 'node:http'
import { nodeBuiltin } from '../node-builtins.ts'
import { assertSafeUrl } from '../url-guard.ts'
import { guardedLookup } from './guarded-lookup.ts'
import type { ConnectionOptions } from './options.ts'
import { type Connector, plainConnector } from './plain-connector.ts'
import { type Proxy, proxyFor } from './proxy.ts'
import { secureContextOf } from './tls.ts'
import { tunnelThrough } from './tunnel.ts'

/** Finds the way to an origin; nothing is opened yet. Throws an `McpSsrfError` for an address that the guard refuses. */
export function openConnector(
  origin: URL,
  options: ConnectionOptions,
  agentOptions: AgentOptions,
): Connector {
  if (options.guard !== undefined) assertSafeUrl(origin, options.guard)
  const proxy = proxyFor(origin, options.proxy)
  if (proxy === undefined) return directConnector(origin, options, agentOptions)
  const connector = origin.protocol === 'https:' ? tunnelConnector : forwardConnector
  const unpinnedBy = options.guard === undefined ? undefined : proxy.hostname
  return { ...connector(origin, proxy, options, agentOptions), unpinnedBy }
}

function directConnector(origin: URL, options: ConnectionOptions, agentOptions: AgentOptions): Connector {
  const isSecure = origin.protocol === 'https:'
  const { Agent } = nodeBuiltin(isSecure ? 'node:https' : 'node:http')
  const { guard, resolveHost } = options
  const plain = plainConnector(origin)
  const lookup = guard === undefined ? {} : { lookup: guardedLookup(origin, guard, resolveHost) }
  return {
    ...plain,
    agent: new Agent({ ...agentOptions, ...(isSecure ? secureContextOf(options.tls) : {}) }),
    target: { ...plain.target, ...lookup },
  }
}

/** The proxy connects and passes bytes on; TLS is between this side and the server. */
function tunnelConnector(
  origin: URL,
  proxy: Proxy,
  { tls }: ConnectionOptions,
  agentOptions: AgentOptions,
): Connector {
  const { Agent } = nodeBuiltin('node:https')
  const agent = new Agent(agentOptions)
  Object.assign(agent, { createConnection: tunnelThrough(proxy, origin, secureContextOf(tls)) })
  return { ...plainConnector(origin), agent }
}

/** The proxy reads the request and sends it on. */
function forwardConnector(
  origin: URL,
  proxy: Proxy,
  { tls }: ConnectionOptions,
  agentOptions: AgentOptions,
): Connector {
  const { Agent, request } = nodeBuiltin(proxy.isSecure ? 'node:https' : 'node:http')
  const { hostname, port, authorization } = proxy
  return {
    agent: new Agent({ ...agentOptions, ...(proxy.isSecure ? secureContextOf(tls) : {}) }),
    request,
    target: { hostname, port, ...(proxy.isSecure ? { servername: hostname } : {}) },
    pathOf: (url) => origin.origin + url.pathname + url.search,
    headers: authorization === undefined ? [] : ['proxy-authorization', authorization],
    unpinnedBy: undefined,
  }
}
