import {
  type ActivityTraceResponse,
  type ConfigDiffResponse,
  type ConfigVersionsResponse,
  type ConnectResponse,
  type DescribeRulesResponse,
  type GrantsResponse,
  type HostsResponse,
  type OwnAuditResponse,
  paths,
  type PermissionsResponse,
  type PinsResponse,
} from '@toolbridge/api'
import { activityEntry } from './samples.ts'

/** What the stub gateway answers on the pages for versions and permissions. */
export interface Administration {
  versions: ConfigVersionsResponse
  diff: ConfigDiffResponse
  permissions: PermissionsResponse
  described: DescribeRulesResponse
  grants: GrantsResponse
  pins: PinsResponse
  connect: ConnectResponse
  hosts: HostsResponse
  audit: OwnAuditResponse
  /** The trace of every call. Default: there is none. */
  trace: ActivityTraceResponse | undefined
}

const cursorGuide = {
  id: 'cursor',
  name: 'Cursor',
  text: '{ "mcpServers": { "toolbridge": { "headers": { "Authorization": "Bearer YOUR_KEY" } } } }',
  files: { linux: '~/.cursor/mcp.json', darwin: '~/.cursor/mcp.json', win32: '~\\.cursor\\mcp.json' },
  command: 'cursor add YOUR_KEY',
  usesKey: true,
}

/** Nothing was saved. */
export function emptyAdministration(): Administration {
  return {
    versions: { versions: [] },
    diff: { from: 1, to: 2, changes: [] },
    permissions: { rules: {}, gatewayMode: 'ask' },
    described: { rules: [] },
    grants: { grants: [] },
    pins: { pins: [] },
    connect: { keyPlaceholder: 'YOUR_KEY', guides: [cursorGuide] },
    hosts: { hosts: [] },
    audit: { entries: [] },
    trace: undefined,
  }
}

/** Returns the response to a request that changes nothing, or undefined if it is none of these pages. */
export function administrationResponse(data: Administration, pathname: string): object | undefined {
  if (pathname.startsWith(`${paths.activity}/`)) return data.trace
  const responses: Readonly<Record<string, object>> = {
    [paths.configVersions]: data.versions,
    [paths.configDiff]: data.diff,
    [paths.permissions]: data.permissions,
    [paths.describePermissions]: data.described,
    [paths.grants]: data.grants,
    [paths.pins]: data.pins,
    [paths.connect]: data.connect,
    [paths.hosts]: data.hosts,
    [paths.ownAudit]: data.audit,
  }
  return responses[pathname]
}

/** Fills every page with a text. */
export function fillAdministration(data: Administration, text: string): void {
  const createdAt = new Date().toISOString()
  data.versions = {
    versions: [2, 1].map((version) => ({
      version,
      id: `version-${version}`,
      createdAt,
      createdBy: text,
      isCurrent: version === 2,
    })),
  }
  data.diff = {
    from: 1,
    to: 2,
    changes: [
      { path: `/mcpServers/${text}`, after: 'object', afterText: JSON.stringify({ command: text }) },
      { path: `/mcpServers/other/env/${text}`, before: 'string', after: 'string', afterText: text },
    ],
  }
  data.permissions = { rules: { deny: [`mcp:${text}`] }, version: 1, gatewayMode: 'ask' }
  const sentence = `Denies calls of the tool ${text}.`
  data.described = {
    rules: [{ kind: 'deny', index: 0, sentence, tools: [text], toolCount: 1, dependsOnArguments: false }],
  }
  data.hosts = { hosts: [{ name: text, lastSeenAt: createdAt }] }
  data.audit = { entries: [{ at: createdAt, action: 'read', kind: 'setting', name: ['mcp', text] }] }
  data.trace = traceOf(text, createdAt)
  data.grants = { grants: [{ id: 'grant', server: text, tool: text, asks: [text] }] }
  const pin = { server: text, rawName: text }
  data.pins = {
    pins: [
      { ...pin, tool: text, state: 'changed', change: `- description: ${text}\n+ ${text}` },
      { ...pin, tool: 'other', state: 'unchanged' },
    ],
  }
}

function traceOf(text: string, at: string): ActivityTraceResponse {
  const entry = activityEntry('1', {
    at,
    tool: text,
    server: text,
    host: text,
    error: text,
    outcome: 'failed',
  })
  return {
    entry: { ...entry, parent: 'run' },
    rawName: text,
    permission: { verdict: 'allow', reason: text },
    questions: [{ kind: 'approval', askedAt: at, answeredAt: at, action: 'accept' }],
    arguments: { text: JSON.stringify({ [text]: text }), omitted: 0 },
    result: { text: JSON.stringify({ content: [{ type: 'text', text }] }), omitted: 12 },
    calls: [{ ...entry, id: '2' }],
  }
}
