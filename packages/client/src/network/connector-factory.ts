import type { AgentOptions } from 'node:http'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { assertSafeUrl } from '../url-guard/assert-safe-url.ts'
import type { ConnectionOptions } from './connection-options.ts'
import { type Connector, directConnector } from './connector.ts'
import { guardedLookup } from './guarded-lookup.ts'
import { type Proxy, proxyFor } from './proxy.ts'
import { type SecureOptions, secureOptionsOf, serverNameOf } from './tls.ts'
import { tunnelThrough } from './tunnel.ts'

/**
 * Creates the connector to the origin of a URL; opens nothing. Throws an `McpSsrfError` if the guard refuses the URL,
 * and a `TypeError` for invalid options.
 */
export type ConnectorFactory = (url: URL) => Connector

/** Creates connectors with the same options. Certificates are read once. */
export function createConnectorFactory(
  options: ConnectionOptions,
  agentOptions: AgentOptions,
): ConnectorFactory {
  const { guard } = options
  let secure: SecureOptions | undefined
  return (url) => {
    if (guard !== undefined) assertSafeUrl(url, guard)
    secure ??= secureOptionsOf(options.tls)
    const proxy = proxyFor(url, options.proxy)
    const secured = { ...agentOptions, ...secure }
    if (proxy === undefined) return configuredConnector(url, options, secured)
    const resolvingProxy = guard === undefined ? undefined : proxy.hostname
    if (url.protocol === 'http:') return { ...forwardConnector(url, proxy, secured), resolvingProxy }
    return { ...tunnelConnector(url, proxy, secure, agentOptions), resolvingProxy }
  }
}

function configuredConnector(url: URL, options: ConnectionOptions, agentOptions: AgentOptions): Connector {
  const { Agent } = nodeBuiltin(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const { guard, resolveHost } = options
  const direct = directConnector(url)
  const lookup = guard === undefined ? {} : { lookup: guardedLookup(url, guard, resolveHost) }
  return { ...direct, agent: new Agent(agentOptions), target: { ...direct.target, ...lookup } }
}

/** The proxy forwards bytes; TLS ends at the server. */
function tunnelConnector(
  url: URL,
  proxy: Proxy,
  secure: SecureOptions,
  agentOptions: AgentOptions,
): Connector {
  const { Agent } = nodeBuiltin('node:https')
  const agent = new Agent(agentOptions)
  Object.assign(agent, { createConnection: tunnelThrough(proxy, url, secure) })
  return { ...directConnector(url), agent }
}

/** The proxy reads the requests and sends them on. */
function forwardConnector(url: URL, proxy: Proxy, agentOptions: AgentOptions): Connector {
  const { Agent, request } = nodeBuiltin(proxy.isSecure ? 'node:https' : 'node:http')
  const { hostname, port, authorization } = proxy
  return {
    agent: new Agent(agentOptions),
    request,
    target: { hostname, port, ...(proxy.isSecure ? { servername: serverNameOf(hostname) } : {}) },
    pathPrefix: url.origin,
    headers: authorization === undefined ? [] : ['proxy-authorization', authorization],
    resolvingProxy: undefined,
  }
}
