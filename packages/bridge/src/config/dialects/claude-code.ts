import {
  type DocumentLocation,
  type Field,
  fieldOf,
  fieldsOf,
  itemsOf,
} from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import { authText, callbackPort, oauth, scopes } from '../fields/auth.ts'
import { type EntryReader, quoted } from '../fields/entry-reader.ts'
import type { FieldRule } from '../fields/field-rule.ts'
import { headersHelper } from '../fields/headers.ts'
import { readTime } from '../fields/read-values.ts'
import { take } from '../fields/take-field.ts'
import { address, transport } from '../fields/transport.ts'
import { disabledHereOnly, list, map, milliseconds, text } from '../fields/values.ts'
import type { Dialect, LocatedEntry, RootContext } from './dialect.ts'
import { mapEntries, textsAt } from './shapes.ts'
import { enableOnly, turnOff } from './turn-off.ts'

/** Timeout per call in milliseconds; values below 1000 are ignored. */
const timeout: FieldRule = {
  specFields: ['callMs'],
  outcome: 'translated',
  note: 'in milliseconds, ignored below 1000',
  read: (field, entry) => {
    const value = readTime(field, entry)
    if (value === undefined) return
    if (value >= 1000) entry.specFields.callMs = Math.round(value)
    else
      entry.drop(field, {
        code: 'timeout_ignored',
        message: `${quoted(field)} is in milliseconds, and Claude Code ignores values below 1000`,
        found: 'a number below 1000',
        expected: 'milliseconds, at least 1000',
        fix: 'write the time in milliseconds',
      })
  },
  write: (specFields) => ((specFields.callMs ?? 0) < 1000 ? undefined : take(specFields, 'callMs')),
}

/** Claude Code: `.mcp.json` of a project, and the user's file with a map of projects. */
export const claudeCode: Dialect = {
  name: 'claude-code',
  title: 'Claude Code',
  format: 'json',
  locations: [
    { scope: 'project', path: '.mcp.json', isUpward: true },
    { scope: 'project', path: '.claude/settings.json' },
    { scope: 'project', path: '.claude/settings.local.json' },
    { scope: 'user', path: '~/.claude.json' },
    { scope: 'user', path: '~/.claude/settings.json' },
    {
      scope: 'managed',
      platforms: ['darwin'],
      path: '/Library/Application Support/ClaudeCode/managed-mcp.json',
    },
    { scope: 'managed', platforms: ['linux'], path: '/etc/claude-code/managed-mcp.json' },
    { scope: 'managed', platforms: ['win32'], path: 'C:/Program Files/ClaudeCode/managed-mcp.json' },
  ],
  hostEnvironment: 'all',
  preset: { 'vars.unset': 'keep', 'vars.default': 'unset' },
  facts: {
    'vars.syntax': ['${NAME}', '${NAME:-default}'],
    'vars.fields': ['command', 'args', 'env', 'url', 'headers'],
  },
  root: {
    key: 'mcpServers',
    fits: (root) =>
      ['mcpServers', 'projects', ...projectFields.slice(1)].some((key) => fieldOf(root, key) !== undefined),
    locate,
    knownFields: (file) => (/(?:^|[\\/])\.mcp\.json$/.test(file) ? projectFields : 'any'),
    beside: { enabled: 'disabledMcpServers' },
    apply: (root, entries, context) => {
      for (const list of [root, ...projectsOf(root, context)].flatMap(listsOfDisabled))
        turnOff(entries, textsAt(list, []) ?? [], context, list)
      applyPolicies(root, entries, context)
      for (const rule of textsAt(root, ['permissions', 'deny']) ?? []) denyTool(rule, context)
    },
  },
  fields: {
    type: transport({ stdio: 'stdio', http: 'http', sse: 'sse', ws: 'ws' }),
    command: text('command'),
    args: list('args'),
    env: map('env'),
    url: address(),
    headers: map('headers'),
    headersHelper: headersHelper('line'),
    oauth: oauth({
      clientId: authText('clientId'),
      callbackPort,
      authServerMetadataUrl: authText('metadataUrl'),
      scopes: scopes('text'),
    }),
    timeout,
    request_timeout_ms: milliseconds('callMs'),
    disabled: disabledHereOnly,
  },
  variables: {
    command: 'bracedWithDefaults',
    args: 'bracedWithDefaults',
    env: 'bracedWithDefaults',
    url: 'bracedWithDefaults',
    headers: 'bracedWithDefaults',
  },
  addressMeans: 'nothing',
  write: {
    format: 'json',
    document: ({ entries, turnedOff, workspaceFolder, file = '' }): JsonValue =>
      turnedOff.length === 0 || workspaceFolder === undefined || !isUserFile(file)
        ? { mcpServers: entries }
        : userDocument(entries, turnedOff, projectKey(workspaceFolder)),
  },
}

/** `mcp__<server>` or `mcp__<server>__<tool>` in the permission rules of a settings file. */
function denyTool(rule: string, { deniedTools }: RootContext): void {
  const [, named] = /^mcp__(.+)$/s.exec(rule) ?? []
  if (named === undefined) return
  const end = named.indexOf('__', 1)
  const hasTool = end !== -1 && end + 2 < named.length
  const server = hasTool ? named.slice(0, end) : named
  const tools = deniedTools.get(server) ?? []
  tools.push(hasTool ? named.slice(end + 2) : '*')
  deniedTools.set(server, tools)
}

/** Only the user's file can disable servers, and only for single folders. */
function isUserFile(file: string): boolean {
  return /(?:^|[\\/])\.claude\.json$/.test(file)
}

/** Disabled servers are defined for the folder that disables them, so that no other folder enables them. */
function userDocument(
  entries: Readonly<Record<string, JsonValue>>,
  turnedOff: readonly string[],
  folder: string,
): JsonValue {
  const isOff = ([name]: readonly [string, JsonValue]): boolean => turnedOff.includes(name)
  const all = Object.entries(entries)
  return {
    mcpServers: Object.fromEntries(all.filter((entry) => !isOff(entry))),
    projects: {
      [folder]: { mcpServers: Object.fromEntries(all.filter(isOff)), disabledMcpServers: turnedOff },
    },
  }
}

/** Known fields of a project file. */
const projectFields: readonly string[] = [
  '$schema',
  'disabledMcpServers',
  'disabledMcpjsonServers',
  'allowedMcpServers',
  'deniedMcpServers',
]

/** Settings of a folder take precedence over those of the user. */
function locate(root: DocumentLocation, context: RootContext): readonly LocatedEntry[] {
  const byName = new Map<string, LocatedEntry>()
  for (const location of [...projectsOf(root, context), root]) {
    const servers = fieldOf(location, 'mcpServers')
    for (const entry of servers === undefined ? [] : mapEntries(servers, context)) {
      if (byName.has(entry.name)) context.report(entry.location, overridden(entry.name))
      else byName.set(entry.name, entry)
    }
  }
  return [...byName.values()].toSorted((a, b) => a.location.node.offset - b.location.node.offset)
}

function overridden(name: string): Parameters<RootContext['report']>[1] {
  return {
    code: 'server_overridden',
    severity: 'warning',
    message: `server "${name}" is also defined for this folder, which takes precedence`,
    fix: 'no action needed, unless you want this definition',
  }
}

/** Settings of a folder; its path may occur in several spellings. */
function projectsOf(root: DocumentLocation, { workspaceFolder }: RootContext): readonly DocumentLocation[] {
  const projects = fieldOf(root, 'projects')
  if (workspaceFolder === undefined || projects === undefined) return []
  const wanted = projectKey(workspaceFolder)
  return fieldsOf(projects).filter(({ key }) => projectKey(key) === wanted)
}

/** Windows paths are written with forward slashes, and the drive letter in either case. */
function projectKey(folder: string): string {
  const isOfWindows = /^[A-Za-z]:[\\/]/.test(folder)
  const plain = isOfWindows ? folder.charAt(0).toUpperCase() + folder.slice(1).replaceAll('\\', '/') : folder
  return plain.length > 3 ? plain.replace(/\/$/, '') : plain
}

function listsOfDisabled(location: DocumentLocation): readonly DocumentLocation[] {
  return ['disabledMcpServers', 'disabledMcpjsonServers'].flatMap((key) => fieldOf(location, key) ?? [])
}

/** Applies policies of the administrator. Rules by server name are applied; any other rule refuses all servers. */
function applyPolicies(root: DocumentLocation, entries: readonly EntryReader[], context: RootContext): void {
  const denied = fieldOf(root, 'deniedMcpServers')
  const allowed = fieldOf(root, 'allowedMcpServers')
  for (const field of [denied, allowed]) if (field !== undefined) refuseOtherKinds(field, entries)
  if (denied !== undefined) turnOff(entries, namesIn(denied), context, denied)
  if (allowed === undefined) return
  enableOnly(entries, namesIn(allowed), context, allowed)
}

function namesIn(field: Field): readonly string[] {
  return itemsOf(field).flatMap((item) => {
    const name = fieldOf(item, 'serverName')?.node.value
    return typeof name === 'string' ? [name] : []
  })
}

function refuseOtherKinds(field: Field, entries: readonly EntryReader[]): void {
  const isPlain = itemsOf(field).every((item) => fieldsOf(item).every(({ key }) => key === 'serverName'))
  if (isPlain && field.node.type === 'array') return
  for (const entry of entries) {
    entry.refuse(field, {
      code: 'field_restricts',
      message: `${quoted(field)} has rules about commands or URLs, which are not supported`,
      found: 'a rule that may restrict access',
      expected: 'rules by "serverName"',
      fix: 'name the servers',
    })
  }
}
