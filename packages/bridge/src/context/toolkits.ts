import type { Tool } from '@toolbridge/client'
import { pointerTo } from '../config/issue.ts'
import type { ServerSpec } from '../config/spec.ts'

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
      readonly kind: 'http'
      readonly spec: { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
    }

/** A server definition bound for one caller. */
export interface MCPToolkit {
  readonly transport: MCPToolkitTransport
  /** Tools that are already known, so that they can be shown before the server is started. */
  readonly tools?: readonly Tool[]
}

export type MCPToolkitMap = Readonly<Record<string, MCPToolkit>>

/** The server definitions of toolkits, sorted by name. */
export function toolkitSpecs(toolkits: MCPToolkitMap): readonly ServerSpec[] {
  return Object.entries(toolkits)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, toolkit]) => toolkitSpec(name, toolkit.transport))
}

function toolkitSpec(name: string, transport: MCPToolkitTransport): ServerSpec {
  const source = { file: 'execution context', pointer: pointerTo('/mcp/toolkits', name) }
  const commons = { name, enabled: true, required: false, source }
  switch (transport.kind) {
    case 'stdio': {
      const { command, args, env = {} } = transport.spec
      return { ...commons, transport: 'stdio', command, args, env }
    }
    case 'http': {
      const { url, headers = {} } = transport.spec
      return { ...commons, transport: 'http', url, headers }
    }
  }
}
