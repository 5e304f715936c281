import type { Agent, RequestOptions } from 'node:http'
import { nodeBuiltin } from '../runtime/node-builtins.ts'

/** How to reach one origin: directly, or through a proxy. */
export interface Connector {
  /** Owns the connections. The creator of the connector destroys it. */
  readonly agent: Agent
  readonly request: typeof import('node:http').request
  /** Options of each request, in addition to its path, method and headers. */
  readonly target: RequestOptions
  /** Put before the path of each request: a proxy that forwards requests needs the whole URL. */
  readonly pathPrefix: string
  /** Headers for a proxy that forwards requests, as a flat list. */
  readonly headers: readonly string[]
  /** The proxy that resolves names in place of the guard, if a guard is set. */
  readonly resolvingProxy: string | undefined
}

const NO_HEADERS: readonly string[] = []

/** A direct keep-alive connection with default options. */
export function directConnector(url: URL): Connector {
  const { Agent, request } = nodeBuiltin(url.protocol === 'https:' ? 'node:https' : 'node:http')
  return {
    agent: new Agent({ keepAlive: true }),
    request,
    target: { hostname: withoutBrackets(url.hostname), port: url.port },
    pathPrefix: '',
    headers: NO_HEADERS,
    resolvingProxy: undefined,
  }
}

/** Removes the brackets that a URL puts around an IPv6 address. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
