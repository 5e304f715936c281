import type { McpError } from './jsonrpc.ts'
import type { Implementation, ServerDescription } from './model/capability.ts'
import type { ElicitRequest, ElicitResult } from './model/elicitation.ts'
import type { CallToolResult, Tool } from './model/tool.ts'
import type { IncomingRequestContext, McpTransport, RequestOptions } from './transport.ts'

export interface McpClientOptions {
  readonly clientInfo?: Implementation
  /** Answers the server's questions. Declaring a handler declares the capability. */
  readonly onElicitation?: (request: ElicitRequest, context: IncomingRequestContext) => Promise<ElicitResult>
  readonly onNotification?: (method: string, params: unknown) => void
  /** Called once, when the connection ends without `close()` having been asked for. */
  readonly onClose?: (reason: McpError) => void
  /** Something of the server's was dropped or cut; the connection goes on. */
  readonly onWarning?: (warning: McpError) => void
  /** How long each request may take unless it says otherwise; 60 s if left out. */
  readonly timeoutMs?: number
}

export interface ConnectOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

/** MCP's verbs, spoken to one server over one transport, which it owns and closes. */
export class McpClient {
  constructor(transport: McpTransport, options: McpClientOptions = {}) {
    void transport
    void options
  }

  /** What the server said about itself; null before `connect()`. */
  get info(): ServerDescription | null {
    return null
  }

  connect(_options?: ConnectOptions): Promise<ServerDescription> {
    return Promise.reject(new Error('not written yet'))
  }

  listTools(_options?: RequestOptions): Promise<readonly Tool[]> {
    return Promise.reject(new Error('not written yet'))
  }

  callTool(
    _name: string,
    _args?: Readonly<Record<string, unknown>>,
    _options?: RequestOptions,
  ): Promise<CallToolResult> {
    return Promise.reject(new Error('not written yet'))
  }

  ping(_options?: RequestOptions): Promise<void> {
    return Promise.reject(new Error('not written yet'))
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
