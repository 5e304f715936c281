import type { AgentOptions } from 'node:http'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { assertSafeUrl } from '../url-guard/assert-safe-url.ts'
import { guardedLookup } from './guarded-lookup.ts'
import type { ConnectionOptions } from './connection-options.ts'
import { type Connector, directConnector } from './connector.ts'
import { type Proxy, proxyFor } from './proxy.ts'
import { type SecureOptions, secureOptionsOf, serverNameOf } from './tls.ts'
import { tunnelThrough } from './tunnel.ts'

/**
 * Finds the way to an origin; nothing is opened yet. Throws an `McpSsrfError` for one that the guard refuses, and a
 * `TypeError` for options that cannot be used.
 */
export type ConnectorFactory = (origin: URL) => Connector

/** Finds ways by the same options, of which certificates are read only once. */
export function createConnectorFactory(
  options: ConnectionOptions,
  agentOptions: AgentOptions,
): ConnectorFactory {
  const { guard } = options
  let secure: SecureOptions | undefined
  return (origin) => {
    if (guard !== undefined) assertSafeUrl(origin, guard)
    secure ??= secureOptionsOf(options.tls)
    const proxy = proxyFor(origin, options.proxy)
    const secured = { ...agentOptions, ...secure }
    if (proxy === undefined) return configuredConnector(origin, options, secured)
    const unpinnedBy = guard === undefined ? undefined : proxy.hostname
    if (origin.protocol === 'http:')
      return { ...forwardConnector(origin, proxy, secured), resolvingProxy: unpinnedBy }
    return { ...tunnelConnector(origin, proxy, secure, agentOptions), resolvingProxy: unpinnedBy }
  }
}

function configuredConnector(origin: URL, options: ConnectionOptions, agentOptions: AgentOptions): Connector {
  const { Agent } = nodeBuiltin(origin.protocol === 'https:' ? 'node:https' : 'node:http')
  const { guard, resolveHost } = options
  const plain = directConnector(origin)
  const lookup = guard === undefined ? {} : { lookup: guardedLookup(origin, guard, resolveHost) }
  return { ...plain, agent: new Agent(agentOptions), target: { ...plain.target, ...lookup } }
}

/** The proxy connects and passes bytes on; TLS is between this side and the server. */
function tunnelConnector(
  origin: URL,
  proxy: Proxy,
  secure: SecureOptions,
  agentOptions: AgentOptions,
): Connector {
  const { Agent } = nodeBuiltin('node:https')
  const agent = new Agent(agentOptions)
  Object.assign(agent, { createConnection: tunnelThrough(proxy, origin, secure) })
  return { ...directConnector(origin), agent }
}

/** The proxy reads the request and sends it on. */
function forwardConnector(origin: URL, proxy: Proxy, agentOptions: AgentOptions): Connector {
  const { Agent, request } = nodeBuiltin(proxy.isSecure ? 'node:https' : 'node:http')
  const { hostname, port, authorization } = proxy
  return {
    agent: new Agent(agentOptions),
    request,
    target: { hostname, port, ...(proxy.isSecure ? { servername: serverNameOf(hostname) } : {}) },
    pathOf: (url) => origin.origin + url.pathname + url.search,
    headers: authorization === undefined ? [] : ['proxy-authorization', authorization],
    resolvingProxy: undefined,
  }
}
