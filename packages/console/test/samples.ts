import type {
  ActivityEntry,
  ExplainResponse,
  InboxItem,
  KeySummary,
  ServerStatus,
  ToolSummary,
} from '@toolbridge/api'

/** A server. Default state: ready. */
export function serverStatus(name: string, changes: Partial<ServerStatus> = {}): ServerStatus {
  return {
    name,
    scope: 'user',
    transport: 'stdio',
    state: 'ready',
    toolCount: 2,
    serverInfo: { name: `${name}-server`, version: '1.2.0' },
    protocolVersion: '2025-11-25',
    startedInMs: 412,
    ...changes,
  }
}

/** A tool with the given arguments. */
export function toolSummary(
  server: string,
  rawName: string,
  properties: Readonly<Record<string, unknown>> = {},
  required: readonly string[] = [],
): ToolSummary {
  return {
    name: `${server}__${rawName}`,
    server,
    rawName,
    uri: `mcp://${server}/${rawName}`,
    description: `What ${rawName} does`,
    inputSchema: { type: 'object', properties, required },
  }
}

/** A server's question for a form. */
export function formQuestion(id: string, schema: Readonly<Record<string, unknown>>): InboxItem {
  return {
    id,
    kind: 'form',
    askedAt: new Date().toISOString(),
    server: 'elicit',
    tool: 'elicit__greet_me',
    message: 'What shall I call you?',
    schema,
  }
}

/** A call. Default outcome: ok. */
export function activityEntry(id: string, changes: Partial<ActivityEntry> = {}): ActivityEntry {
  return {
    id,
    at: new Date().toISOString(),
    tool: 'hello__hello',
    server: 'hello',
    conversation: 'console',
    latencyMs: 23,
    outcome: 'ok',
    ...changes,
  }
}

/** An API key for the MCP endpoint that was never used. */
export function apiKey(name: string, changes: Partial<KeySummary> = {}): KeySummary {
  return {
    id: `id-of-${name}`,
    name,
    owner: 'local',
    scopes: ['mcp'],
    createdAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    ...changes,
  }
}

/** What a gateway understands of a text that is no configuration. */
export const nothingExplained: ExplainResponse = {
  kind: 'document',
  dialect: '',
  title: '',
  servers: [],
  fields: [],
  hostRules: [],
  issues: [],
}
