import { type Bridge, openBridge, type PermissionRules } from '@toolbridge/bridge'
import { createMemoryPair } from '@toolbridge/client'
import { homedir } from 'node:os'
import { folder } from './servers/linux-path.ts'
import { foldingServer } from './servers/folding-server.ts'
import { lenientServer } from './servers/lenient-server.ts'
import { type Reading, touchedBy } from './servers/read-arguments.ts'
import { urlServer } from './servers/url-server.ts'

const servers = { url: urlServer, lenient: lenientServer, folding: foldingServer }

/** The server that a program is sent to. */
export type ServerName = keyof typeof servers

export type Arguments = Readonly<Record<string, unknown>>

/** A bridge with all servers that are attacked, and nobody to ask. */
export interface AttackedBridge extends AsyncDisposable {
  /** Resolves with what the server touched, which is nothing if the call was refused. */
  touched(server: ServerName, args: Arguments): Promise<readonly string[]>
}

/** `approves`: everything that is asked about is approved. */
export async function attackedBridge(
  permissions: PermissionRules,
  { approves }: { readonly approves: boolean },
): Promise<AttackedBridge> {
  const seen: string[] = []
  const bridge = await openBridge({
    servers: Object.fromEntries(Object.keys(servers).map((name) => [name, { command: name }])),
    authority: { kind: 'local', env: { HOME: homedir() }, workspaceFolder: folder },
    permissions,
    transportOf: ({ name }) => attackedServer(name, seen),
    ...(approves ? { answerer: { ask: async () => ({ action: 'accept' as const }) } } : {}),
  })
  return {
    touched: async (server, args) => {
      seen.length = 0
      await used(bridge, server, args).catch(() => undefined)
      return [...seen]
    },
    [Symbol.asyncDispose]: () => bridge.close(),
  }
}

/** A resource is read by its `uri`. */
async function used(bridge: Bridge, server: ServerName, args: Arguments): Promise<unknown> {
  const { uri } = args
  return typeof uri === 'string' ? bridge.resources.read(server, uri) : bridge.call(`${server}__use`, args)
}

interface Request {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly arguments?: unknown; readonly uri?: string }
}

/** A connection to the server of this name, which adds what it touches. */
export function attackedServer(
  name: string,
  seen: string[],
): ReturnType<typeof createMemoryPair>[0] | undefined {
  const reading = new Map<string, Reading>(Object.entries(servers)).get(name)
  if (reading === undefined) return undefined
  const [link, end] = createMemoryPair()
  end.onmessage = (message) => {
    const { id, method = '', params = {} } = JSON.parse(JSON.stringify(message)) as Request
    if (method === 'tools/call') seen.push(...touchedBy(params.arguments, reading))
    if (method === 'resources/read') seen.push(...touchedBy({ path: params.uri }, reading))
    const result = results[method]
    const failed = { code: -32601, message: 'Method not found' }
    const answer = result === undefined ? { error: failed } : { result }
    if (id !== undefined) void end.send({ jsonrpc: '2.0', id, ...answer })
  }
  return link
}

const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'attacked', version: '1.0.0' },
  },
  ping: {},
  'tools/list': { tools: [{ name: 'use', inputSchema: { type: 'object' } }] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'resources/read': { contents: [] },
  'tools/call': { content: [] },
}
