import type { Agent, RequestOptions } from 'node:http'
import { nodeBuiltin } from '../runtime/node-builtins.ts'

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
  readonly resolvingProxy: string | undefined
}

const NO_HEADERS: readonly string[] = []

/** The direct way, with nothing special about it. */
export function directConnector(origin: URL): Connector {
  const { Agent, request } = nodeBuiltin(origin.protocol === 'https:' ? 'node:https' : 'node:http')
  return {
    agent: new Agent({ keepAlive: true }),
    request,
    target: { hostname: withoutBrackets(origin.hostname), port: origin.port },
    pathOf: wholePath,
    headers: NO_HEADERS,
    resolvingProxy: undefined,
  }
}

function wholePath({ pathname, search }: URL): string {
  return pathname + search
}

/** An IPv6 address stands in brackets in a URL and nowhere else. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
