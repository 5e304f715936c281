import { type DocumentLocation, fieldOf, fieldsOf, itemsOf } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import { approve } from '../fields/approval.ts'
import { authText, oauth } from '../fields/auth.ts'
import type { EntryReader } from '../fields/entry-reader.ts'
import type { FieldRule } from '../fields/field-rule.ts'
import { ownValue, take } from '../fields/take-field.ts'
import { address } from '../fields/transport.ts'
import { dropped, flag, group, list, map, seconds, text } from '../fields/values.ts'
import type { ToolApproval } from '../spec/server-spec.ts'
import type { SpecFields } from '../spec/spec-fields.ts'
import { isGlob } from '../spec/tool-approval.ts'
import type { Dialect, RootContext, WriteInput } from './dialect.ts'
import { descend, serverMap } from './shapes.ts'

/** A string, or the object of older versions. */
const command: FieldRule = {
  ...text('command'),
  note: 'a string, or { path, args, env } in older versions',
  read: (field, entry) => {
    const rule =
      field.node.type === 'object'
        ? group({ path: text('command'), args: list('args'), env: map('env') })
        : text('command')
    rule.read(field, entry)
  },
}

/** Servers of extensions have only settings in the file. */
const source: FieldRule = {
  specFields: [],
  note: 'tells whether the server is an extension, which only Zed can start',
  read: (field, entry) => {
    if (field.node.value === 'extension') refuseExtension(field, entry)
  },
}

const settings: FieldRule = {
  specFields: [],
  note: 'settings of an extension, which only Zed can start',
  read: (field, entry) => {
    const isDefined = ['source', 'command', 'url'].some((key) => fieldOf(entry.location, key) !== undefined)
    if (isDefined) unusedSettings.read(field, entry)
    else refuseExtension(field, entry)
  },
}

const unusedSettings = dropped('they are for an extension')

function refuseExtension(field: DocumentLocation, entry: EntryReader): void {
  entry.refuse(field, {
    code: 'field_missing',
    message: 'it is a Zed extension, which only Zed can start',
    found: 'an extension',
    expected: '"command" or "url"',
    fix: 'install the server itself and give its "command", or leave it to Zed',
  })
}

export const zed: Dialect = {
  name: 'zed',
  title: 'Zed',
  format: 'json',
  locations: [
    { scope: 'project', path: '.zed/settings.json' },
    { scope: 'user', platforms: ['darwin', 'linux'], path: '~/.config/zed/settings.json' },
    { scope: 'user', platforms: ['win32'], path: '%APPDATA%/Zed/settings.json' },
  ],
  preset: {},
  facts: { 'config.roots': ['context_servers'], 'vars.syntax': [], 'vars.fields': 'none' },
  root: serverMap(['context_servers'], {
    knownFields: 'any',
    beside: {
      approvalDefault: 'agent.tool_permissions.default',
      approvalTools: 'agent.tool_permissions.tools',
    },
    apply: (root, entries, context) => {
      applyPermissions(root, entries)
      warnAboutProfiles(root, context)
    },
  }),
  fields: {
    command,
    args: list('args'),
    env: map('env'),
    timeout: seconds('callMs'),
    enabled: flag('enabled'),
    remote: dropped('it only affects the editor'),
    source,
    settings,
    url: address(),
    headers: map('headers'),
    oauth: oauth({ client_id: authText('clientId'), client_secret: authText('clientSecret') }),
  },
  variables: {},
  addressMeans: 'http',
  transports: ['stdio', 'http'],
  write: {
    format: 'json',
    takeForRoot: takePermissions,
    document: ({ entries, root }): JsonValue => {
      const permissions = permissionsOf(root, Object.keys(entries).length)
      const isEmpty = Object.keys(permissions).length === 0
      return { context_servers: entries, ...(isEmpty ? {} : { agent: { tool_permissions: permissions } }) }
    },
  },
}

/** The one default of Zed is written if all servers have the same. */
function permissionsOf({ defaults = {}, tools = {} }: WriteInput['root'], servers: number): JsonRecord {
  const [first, ...others] = new Set(Object.values(defaults))
  const isShared = others.length === 0 && Object.keys(defaults).length === servers
  return {
    ...(first === undefined || !isShared ? {} : { default: first }),
    ...(Object.keys(tools).length === 0 ? {} : { tools }),
  }
}

type JsonRecord = Readonly<Record<string, JsonValue>>

/** Removes the approvals that Zed can express. A default of `allow` is never written: it would apply to all of Zed. */
function takePermissions(server: string, specFields: SpecFields): Readonly<Record<string, JsonRecord>> {
  const general = specFields.approvalDefault
  const mode =
    general === 'deny' || general === 'ask' ? wordOf(take(specFields, 'approvalDefault')) : undefined
  const tools = Object.entries(specFields.approvalTools ?? {})
  const isWritable = tools.every(([tool, approval]) => !isGlob(tool) && wordOf(approval) !== undefined)
  if (isWritable && !server.includes(':')) delete specFields.approvalTools
  return {
    defaults: mode === undefined ? {} : { [server]: mode },
    tools: Object.fromEntries(
      (isWritable && !server.includes(':') ? tools : []).map(([tool, approval]) => [
        `mcp:${server}:${tool}`,
        { default: wordOf(approval) ?? '' },
      ]),
    ),
  }
}

function wordOf(approval: ToolApproval | undefined): string | undefined {
  return Object.keys(words).find((word) => words[word] === approval)
}

const words: Readonly<Record<string, ToolApproval>> = { allow: 'allow', confirm: 'ask', deny: 'deny' }

/** `agent.tool_permissions`: `default`, and `tools["mcp:<server>:<tool>"].default`. */
function applyPermissions(root: DocumentLocation, entries: readonly EntryReader[]): void {
  applyDefault(descend(root, ['agent', 'tool_permissions', 'default']), entries)
  const tools = descend(root, ['agent', 'tool_permissions', 'tools'])
  const byName = new Map(entries.map((entry) => [entry.server, entry]))
  for (const rule of tools === undefined ? [] : fieldsOf(tools)) {
    const [, server = '', tool = ''] = /^mcp:([^:]+):(.+)$/s.exec(rule.key) ?? []
    const entry = byName.get(server)
    if (entry === undefined) continue
    const mode = fieldOf(rule, 'default') ?? fieldOf(rule, 'default_mode')
    const approval = typeof mode?.node.value === 'string' ? ownValue(words, mode.node.value) : undefined
    const pattern = restrictingPattern(rule)
    if (pattern !== undefined) refusePattern(pattern, tool, entry)
    else if (approval === undefined)
      entry.invalidWord(mode ?? rule, `the permission of the tool "${tool}"`, ['allow', 'confirm', 'deny'])
    else approve(entry, [[tool, approval]])
  }
}

function applyDefault(mode: DocumentLocation | undefined, entries: readonly EntryReader[]): void {
  if (mode === undefined) return
  const approval = typeof mode.node.value === 'string' ? ownValue(words, mode.node.value) : undefined
  for (const entry of entries) {
    if (approval === undefined) entry.invalidWord(mode, 'the default permission', Object.keys(words))
    else entry.specFields.approvalDefault = approval
  }
}

/** Patterns over arguments by which some calls of a tool are denied or confirmed. */
function restrictingPattern(rule: DocumentLocation): DocumentLocation | undefined {
  return ['always_deny', 'always_confirm']
    .map((key) => fieldOf(rule, key))
    .find((patterns) => patterns !== undefined && itemsOf(patterns).length > 0)
}

function refusePattern(pattern: DocumentLocation, tool: string, entry: EntryReader): void {
  entry.refuse(pattern, {
    code: 'field_restricts',
    message: `the permission of the tool "${tool}" depends on its arguments, which is not supported`,
    fix: 'set "default" to "deny" or "confirm" for the tool, and remove its patterns',
  })
}

function warnAboutProfiles(root: DocumentLocation, { report }: RootContext): void {
  const profiles = descend(root, ['agent', 'profiles'])
  if (
    profiles === undefined ||
    !fieldsOf(profiles).some((profile) => fieldOf(profile, 'context_servers') !== undefined)
  )
    return
  report(profiles, {
    code: 'field_dropped',
    severity: 'warning',
    message: '"agent.profiles" was ignored: it selects tools for an agent of Zed',
    fix: 'use permission rules for tools that must not be called',
  })
}
