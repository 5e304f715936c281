/** The entry for servers that are known to speak the HTTP of 2024-11-05. Safe to load in a browser. */

export { SseTransport } from './transports/sse/sse-transport.ts'
