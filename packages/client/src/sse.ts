/** Connects to servers over the HTTP+SSE transport of 2024-11-05. Works in browsers. */

export { SseTransport } from './transports/sse/sse-transport.ts'
