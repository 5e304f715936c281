import type { McpTransport, Tool } from '@toolbridge/client'
import { pointerTo } from '../../config/spec/issue.ts'
import type { ServerSpec } from '../../config/spec/server-spec.ts'

/** How a toolkit's server is started or reached. */
export type MCPToolkitTransport =
  | {
      readonly kind: 'stdio'
      readonly spec: {
        readonly command: string
        readonly args: readonly string[]
        readonly env?: Readonly<Record<string, string>>
      }
    }
  | {
      readonly kind: 'http' | 'sse' | 'ws'
      readonly spec: { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
    }

/** A server definition bound for one caller. */
export interface MCPToolkit {
  /** What to start or reach, or a link that is ready to be started; such a link serves one client and is closed with it. */
  readonly transport: MCPToolkitTransport | McpTransport
  /** Tools that are already known: shown before the server is started, and replaced by what it lists once it is. */
  readonly tools?: readonly Tool[]
}

export type MCPToolkitMap = Readonly<Record<string, MCPToolkit>>

/** A link that was made by an MCP SDK: it sends and receives messages and leaves the rest to whoever holds it. */
export interface MessageTransport {
  onmessage?: ((message: never) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  start(): Promise<void>
  send(message: never): Promise<void>
  close(): Promise<void>
  setProtocolVersion?: ((version: string) => void) | undefined
}

/** A program to start, as a caller may write it: values of the environment become text. */
export interface MCPTransportSpec {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string | number | boolean>>
}

/** What stands for a transport in a toolkit as a caller may write it. */
export type MCPTransportInput =
  | { readonly kind: 'stdio'; readonly spec: MCPTransportSpec }
  | MCPToolkitTransport
  | McpTransport
  | MessageTransport

/** A toolkit as a caller may write it, with one of `transport` and `transportSpec`. */
export interface MCPToolkitInput {
  readonly transport?: MCPTransportInput
  readonly transportSpec?: MCPTransportSpec
  /** A list, or a record by name. */
  readonly tools?: readonly Tool[] | Readonly<Record<string, unknown>>
}

export type MCPToolkitMapInput = Readonly<Record<string, MCPToolkitInput>>

/** Whether a toolkit's transport is a link and not the description of one. */
export function isLive(transport: MCPToolkit['transport']): transport is McpTransport {
  return !('kind' in transport)
}

/** The server definitions of toolkits, sorted by name. A toolkit with a live link has none. */
export function toolkitSpecs(toolkits: MCPToolkitMap): readonly ServerSpec[] {
  return Object.entries(toolkits)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, { transport }]) => (isLive(transport) ? [] : [toolkitSpec(name, transport)]))
}

/** The server definition of one toolkit. */
export function toolkitSpec(name: string, transport: MCPToolkitTransport): ServerSpec {
  const source = { file: 'execution context', pointer: pointerTo('/mcp/toolkits', name) }
  const commons = { name, enabled: true, required: false, source }
  if (transport.kind === 'stdio') {
    const { command, args, env = {} } = transport.spec
    return { ...commons, transport: 'stdio', command, args, env }
  }
  const { url, headers = {} } = transport.spec
  return { ...commons, transport: transport.kind, url, headers }
}
