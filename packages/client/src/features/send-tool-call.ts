import type { RequestOptions } from '../jsonrpc/transport.ts'
import type { CallToolResult } from '../model/tool.ts'

/** Key of the client's method that calls a tool without making a promise. For callers that make very many calls. */
export const sendToolCall: unique symbol = Symbol('sendToolCall')

export interface ToolCallSender {
  /** Calls `resolve` or `reject` once, possibly before it returns. Neither may throw. */
  [sendToolCall](
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: RequestOptions | undefined,
    resolve: (result: CallToolResult) => void,
    reject: (reason: unknown) => void,
  ): void
}
