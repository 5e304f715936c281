/** Connects to servers over a WebSocket. Works in browsers. */

export { WsTransport, type WsTransportConfig } from './transports/websocket/websocket-transport.ts'
export type { WebSocketConstructor, WebSocketLike } from './transports/websocket/open-websocket.ts'
