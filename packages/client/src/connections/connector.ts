import type { Agent, AgentOptions, RequestOptions } from 'node:http'
import { nodeBuiltin } from '../node-builtins.ts'
import { assertSafeUrl } from '../url-guard.ts'
import { guardedLookup } from './guarded-lookup.ts'
import type { ConnectionOptions } from './options.ts'
import { type Proxy, proxyFor, withoutBrackets } from './proxy.ts'
import { secureContextOf } from './tls.ts'
import { tunnelThrough } from './tunnel.ts'

/** The way to one origin: directly, or through a proxy. */
export interface Connector {
  /** Holds the connections; whoever opened the connector destroys it. */
  readonly agent: Agent
  readonly request: typeof import('node:http').request
  /** What each request is told beside its own path, method and headers. */
  readonly target: RequestOptions
  /** What stands in the first line of a request. */
  readonly pathOf: (url: URL) => string
  /** For the proxy that reads the requests, as a flat list. */
  readonly headers: readonly string[]
  /** What the guard promises is up to this proxy, which does the looking up. */
  readonly unpinnedBy: string | undefined
}

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
  const { Agent, request } = nodeBuiltin(isSecure ? 'node:https' : 'node:http')
  const { guard, resolve } = options
  return {
    agent: new Agent({ ...agentOptions, ...(isSecure ? secureContextOf(options.tls) : {}) }),
    request,
    target: {
      hostname: withoutBrackets(origin.hostname),
      port: origin.port,
      ...(guard === undefined ? {} : { lookup: guardedLookup(origin, guard, resolve) }),
    },
    pathOf: (url) => url.pathname + url.search,
    headers: [],
    unpinnedBy: undefined,
  }
}

/** The proxy connects and passes bytes on; TLS is between this side and the server. */
function tunnelConnector(
  origin: URL,
  proxy: Proxy,
  { tls }: ConnectionOptions,
  agentOptions: AgentOptions,
): Connector {
  const { Agent, request } = nodeBuiltin('node:https')
  const agent = new Agent(agentOptions)
  Object.assign(agent, { createConnection: tunnelThrough(proxy, origin, secureContextOf(tls)) })
  const target = { hostname: withoutBrackets(origin.hostname), port: origin.port }
  return { ...directConnector(origin, {}, agentOptions), agent, request, target }
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
