import type { HttpEndpointConfig } from '../http/http-endpoint.ts'

/** Options of `HttpTransport` and `SseTransport`. */
export interface HttpTransportConfig extends HttpEndpointConfig {
  /**
   * Maximum size of one message of the server. A larger one is not read and fails only the call that it answers.
   * Default: 32 MiB.
   */
  readonly maxMessageBytes?: number
}
