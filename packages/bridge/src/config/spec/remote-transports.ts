/** A transport that reaches a server by URL. */
export type RemoteTransport = 'http' | 'sse' | 'ws'

interface RemoteTransportRules {
  /** URL schemes, the plain one first. */
  readonly schemes: readonly [plain: string, secure: string]
  /** Name of the network protocol in hooks and telemetry. */
  readonly protocol: 'http' | 'websocket'
  /** Whether a person can sign in with OAuth. Others take credentials in headers only. */
  readonly hasOAuth: boolean
}

/** Every transport that reaches a server by URL. The first one with a URL's scheme is its default. */
export const remoteTransports: Readonly<Record<RemoteTransport, RemoteTransportRules>> = {
  http: { schemes: ['http:', 'https:'], protocol: 'http', hasOAuth: true },
  sse: { schemes: ['http:', 'https:'], protocol: 'http', hasOAuth: true },
  ws: { schemes: ['ws:', 'wss:'], protocol: 'websocket', hasOAuth: false },
}

const names = Object.keys(remoteTransports) as RemoteTransport[]

/** Returns whether a value names a transport that reaches a server by URL. */
export function isRemoteTransport(value: unknown): value is RemoteTransport {
  return names.some((name) => name === value)
}

/** Returns the default transport of a URL. `http` for unknown schemes and URLs with variables. */
export function defaultTransportOf(url: string): RemoteTransport {
  const [scheme = ''] = /^[a-z][a-z0-9+.-]*:/.exec(url.toLowerCase()) ?? []
  return names.find((name) => remoteTransports[name].schemes.includes(scheme)) ?? 'http'
}
