import type { McpTransport, Tool } from '@toolbridge/client'
import { pointerTo } from '../../config/spec/issue.ts'
import type { RemoteTransport } from '../../config/spec/remote-transports.ts'
import type { ServerSpec } from '../../config/spec/server-spec.ts'

/** The transport of a toolkit: a program to start, a URL, or a server definition as `readConfig` returns it. */
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
      readonly kind: RemoteTransport
      readonly spec: { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
    }
  | { readonly kind: 'definition'; readonly spec: ServerSpec }

/** A server definition bound for one caller. */
export interface MCPToolkit {
  /** A transport description, or a live transport, which serves one client and is closed with it. */
  readonly transport: MCPToolkitTransport | McpTransport
  /** Tools shown before the server is started; its own list replaces them. Default: none. */
  readonly tools?: readonly Tool[]
}

/** Toolkits by name. */
export type MCPToolkitMap = Readonly<Record<string, MCPToolkit>>

/** A transport of an MCP SDK. */
export interface MessageTransport {
  onmessage?: ((message: never) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  start(): Promise<void>
  send(message: never): Promise<void>
  close(): Promise<void>
  setProtocolVersion?: ((version: string) => void) | undefined
}

/** A program to start, as callers write it. */
export interface MCPTransportSpec {
  /** The program. */
  readonly command: string
  /** Its arguments. */
  readonly args: readonly string[]
  /** Its environment; values are converted to strings. Default: none. */
  readonly env?: Readonly<Record<string, string | number | boolean>>
}

/** A transport of a toolkit, as callers write it. */
export type MCPTransportInput =
  | { readonly kind: 'stdio'; readonly spec: MCPTransportSpec }
  | MCPToolkitTransport
  | McpTransport
  | MessageTransport

/** A toolkit as callers write it, with either `transport` or `transportSpec`. */
export interface MCPToolkitInput {
  /** The transport. */
  readonly transport?: MCPTransportInput
  /** A program to start. */
  readonly transportSpec?: MCPTransportSpec
  /** Known tools, as a list or by name. Default: none. */
  readonly tools?: readonly Tool[] | Readonly<Record<string, unknown>>
}

/** Toolkits by name, as callers write them. */
export type MCPToolkitMapInput = Readonly<Record<string, MCPToolkitInput>>

/** Returns whether the transport of a toolkit is live rather than a description. */
export function isLive(transport: MCPToolkit['transport']): transport is McpTransport {
  return !('kind' in transport)
}

/** The server definition of one toolkit. */
export function toolkitSpec(name: string, transport: MCPToolkitTransport): ServerSpec {
  if (transport.kind === 'definition')
    return transport.spec.name === name ? transport.spec : { ...transport.spec, name }
  const source = { file: 'execution context', pointer: pointerTo('/mcp/toolkits', name) }
  const commons = { name, enabled: true, required: false, source }
  if (transport.kind === 'stdio') {
    const { command, args, env = {} } = transport.spec
    return { ...commons, transport: 'stdio', command, args, env }
  }
  const { url, headers = {} } = transport.spec
  return { ...commons, transport: transport.kind, url, headers }
}
