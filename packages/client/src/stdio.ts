/** The entry for Node and Bun: servers that run as child processes. */

export {
  type DiscardedOutput,
  type StdioStopOptions,
  StdioTransport,
  type StdioTransportConfig,
} from './transports/stdio.ts'
