import { McpClient, type McpClientOptions } from '../../src/index.ts'
import { discovery, type Script, type ScriptedServer, scriptedServer } from './scripted-server.ts'

/** With a handshake, and without. */
export const eras = ['2025-11-25', '2026-07-28'] as const

export interface Scripted {
  readonly client: McpClient
  readonly server: ScriptedServer
  readonly warnings: readonly string[]
}

/** A client of a scripted server that speaks the given revision and offers the given capabilities. */
export async function connectedTo(
  protocolVersion: string,
  capabilities: object,
  script: Script,
  options: McpClientOptions = {},
): Promise<Scripted> {
  const server = scriptedServer({ ...openingOf(protocolVersion, capabilities), ...script })
  const warnings: string[] = []
  const client = new McpClient(server.transport, {
    onWarning: ({ message }) => warnings.push(message),
    ...options,
  })
  await client.connect()
  return { client, server, warnings }
}

function openingOf(protocolVersion: string, capabilities: object): Script {
  if (protocolVersion >= '2026-07-28') return { 'server/discover': () => ({ ...discovery, capabilities }) }
  const serverInfo = { name: 'scripted', version: '1.0.0' }
  return { initialize: () => ({ protocolVersion, capabilities, serverInfo }) }
}

/** What a script is asked for, without what the protocol adds. */
export function paramsOf(request: { readonly params?: unknown }): Readonly<Record<string, unknown>> {
  const { _meta, ...params } = (request.params ?? {}) as Record<string, unknown>
  return params
}
