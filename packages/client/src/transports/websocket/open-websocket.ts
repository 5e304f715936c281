import { McpError, McpErrorCode } from '../../jsonrpc/jsonrpc.ts'
import { hasNodeBuiltins } from '../../runtime/has-node-builtins.ts'

/** The required part of a WebSocket; the global `WebSocket` and that of the package `ws` have it. */
export interface WebSocketLike {
  addEventListener(type: 'open' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void
  send(data: string): void
  close(code?: number): void
}

/** Opens a connection on construction, like the global `WebSocket`. */
export type WebSocketConstructor = new (
  url: string,
  protocols: string[],
  options?: { readonly headers: Readonly<Record<string, string>> },
) => WebSocketLike

interface SocketConfig {
  readonly headers?: Readonly<Record<string, string>>
  readonly WebSocket?: WebSocketConstructor
}

const SUBPROTOCOL = 'mcp'

/** Starts to open a connection with the given or the global `WebSocket`. */
export function openWebSocket(url: URL, { headers = {}, WebSocket }: SocketConfig): WebSocketLike {
  if (WebSocket !== undefined) return new WebSocket(url.href, [SUBPROTOCOL], { headers })
  const Platform = platformWebSocket()
  if (Object.keys(headers).length === 0) return new Platform(url.href, [SUBPROTOCOL])
  if (!hasNodeBuiltins()) {
    throw unsupported('a browser cannot send headers when it opens a WebSocket; leave them out')
  }
  // Node takes the protocols and the headers in one argument.
  return new Platform(url.href, { protocols: [SUBPROTOCOL], headers })
}

type PlatformWebSocket = new (url: string, options: string[] | object) => WebSocketLike

function platformWebSocket(): PlatformWebSocket {
  const { WebSocket } = globalThis as { WebSocket?: unknown }
  if (isConstructor(WebSocket)) return WebSocket
  throw unsupported(
    'this platform has no WebSocket; use Node 22 or later, or pass one as `WebSocket`, such as that of the package ws',
  )
}

function isConstructor(value: unknown): value is PlatformWebSocket {
  return typeof value === 'function'
}

function unsupported(message: string): McpError {
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InternalError })
}
