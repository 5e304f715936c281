import type { IncomingMcpHandlers, McpTransport, RequestOptions } from '../transport.ts'

/** How long a server that is asked to stop may take before it is made to. */
export interface StdioStopOptions {
  /** From the end of its input to SIGTERM. */
  readonly graceMs?: number
  /** From SIGTERM to SIGKILL. */
  readonly termMs?: number
}

export interface StdioTransportConfig {
  readonly command: string
  readonly args?: readonly string[]
  /** Set for the server on top of what it inherits. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** `safe`: the few variables a program needs to run at all. `none`: nothing but `env`. */
  readonly inheritEnv?: 'safe' | 'none'
  readonly stop?: StdioStopOptions
  /** A longer message is skipped and fails only the call it answers. */
  readonly maxMessageBytes?: number
}

/** A link to a server that runs as a child process and speaks over its standard input and output. */
export class StdioTransport implements McpTransport {
  constructor(config: StdioTransportConfig) {
    void config
  }

  /** The server's process, while there is one. */
  get pid(): number | undefined {
    return undefined
  }

  /** The last lines the server wrote to its standard error. */
  get stderrTail(): readonly string[] {
    return []
  }

  start(): Promise<void> {
    return Promise.reject(new Error('not written yet'))
  }

  request(_method: string, _params?: object, _options?: RequestOptions): Promise<unknown> {
    return Promise.reject(new Error('not written yet'))
  }

  notify(_method: string, _params?: object): Promise<void> {
    return Promise.reject(new Error('not written yet'))
  }

  setHandlers(_handlers: IncomingMcpHandlers): void {}

  close(): Promise<void> {
    return Promise.resolve()
  }
}
