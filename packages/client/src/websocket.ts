/** The entry for servers that are reached over a WebSocket. Safe to load in a browser. */

export { WsTransport, type WsTransportConfig } from './transports/websocket/ws-transport.ts'
export type { WebSocketConstructor, WebSocketLike } from './transports/websocket/open-websocket.ts'
