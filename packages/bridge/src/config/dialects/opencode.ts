import { fieldOf } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import { authText, callbackPort, oauth, scopes } from '../fields/auth.ts'
import { commandList } from '../fields/command.ts'
import type { FieldRule, FieldTable } from '../fields/field-rule.ts'
import { readTime } from '../fields/read-values.ts'
import { take } from '../fields/take-field.ts'
import { address, transport } from '../fields/transport.ts'
import { disabled, flag, group, map, milliseconds, text } from '../fields/values.ts'
import type { Dialect, RootShape, WriteInput } from './dialect.ts'
import { applyToolRules, takeToolRules } from './opencode-tools.ts'
import { descend, serverMap } from './shapes.ts'

/** One timeout for the start and for each call. */
const timeoutOfBoth: FieldRule = {
  specFields: ['startMs', 'callMs'],
  outcome: 'translated',
  note: 'in milliseconds, for start and each call',
  read: (field, entry) => {
    const value = readTime(field, entry)
    if (value === undefined) return
    entry.specFields.startMs = Math.round(value)
    entry.specFields.callMs = Math.round(value)
  },
  write: (specFields) => {
    if (specFields.startMs !== specFields.callMs) return undefined
    delete specFields.startMs
    return take(specFields, 'callMs')
  },
}

const local: FieldTable = {
  type: transport({ stdio: 'local', http: 'remote' }, { sse: 'remote' }),
  command: commandList,
  environment: map('env'),
  cwd: text('cwd'),
  url: address(),
  headers: map('headers'),
}

const commons = {
  format: 'json',
  locations: [
    { scope: 'project', path: 'opencode.json', isUpward: true },
    { scope: 'project', path: 'opencode.jsonc', isUpward: true },
    { scope: 'project', path: '.opencode/opencode.json' },
    { scope: 'project', path: '.opencode/opencode.jsonc' },
    { scope: 'user', path: '~/.config/opencode/opencode.json', variable: { name: 'OPENCODE_CONFIG' } },
    { scope: 'user', path: '~/.config/opencode/opencode.jsonc' },
  ],
  hostEnvironment: 'all',
  preset: {},
  facts: { 'vars.syntax': ['{env:NAME}', '{file:path}'], 'vars.phase': 'load' },
  variables: { everything: 'curly' },
  addressMeans: 'http',
  transports: ['stdio', 'http', 'sse'],
} as const satisfies Partial<Dialect>

function shape(path: readonly string[], fits: RootShape['fits']): RootShape {
  return serverMap(path, {
    fits,
    knownFields: 'any',
    beside: {
      allow: 'tools',
      deny: 'tools',
      approvalDefault: 'permission',
      approvalTools: 'permission',
      ...besideV2(path),
    },
    apply: (root, entries, context) => {
      applyToolRules(root, entries, context)
      const timeouts = descend(root, ['mcp', 'timeout'])
      if (path.length === 1 || timeouts === undefined) return
      for (const entry of entries) {
        const own = { ...entry.specFields }
        times.read({ key: 'timeout', ...timeouts }, entry)
        Object.assign(entry.specFields, own)
      }
    },
  })
}

function besideV2(path: readonly string[]): RootShape['beside'] {
  return path.length === 1 ? {} : { startMs: 'mcp.timeout.startup', callMs: 'mcp.timeout.request' }
}

/** Version 1 has `mcp`, version 2 has `mcp.servers`. */
export const opencodeV1: Dialect = {
  ...commons,
  name: 'opencode',
  title: 'opencode V1',
  preset: commons.preset,
  facts: { ...commons.facts, 'config.roots': ['mcp'] },
  root: shape(['mcp'], (root) => {
    const mcp = fieldOf(root, 'mcp')
    return mcp !== undefined && fieldOf(mcp, 'servers') === undefined
  }),
  fields: {
    ...local,
    oauth: oauth(
      {
        clientId: authText('clientId'),
        clientSecret: authText('clientSecret'),
        scope: scopes('text'),
        callbackPort,
        redirectUri: authText('redirectUri'),
      },
      { canBeFalse: true },
    ),
    timeout: timeoutOfBoth,
    enabled: flag('enabled'),
  },
  write: {
    format: 'json',
    takeForRoot: takeToolRules,
    document: ({ entries, root }) => ({
      $schema: 'https://opencode.ai/config.json',
      mcp: entries,
      ...given(root),
    }),
  },
}

const times = group({ startup: milliseconds('startMs'), request: milliseconds('callMs') })

export const opencodeV2: Dialect = {
  ...commons,
  name: 'opencode-v2',
  title: 'opencode V2',
  preset: commons.preset,
  facts: { ...commons.facts, 'config.roots': ['mcp.servers'] },
  root: shape(['mcp', 'servers'], (root) => {
    const mcp = fieldOf(root, 'mcp')
    return mcp !== undefined && fieldOf(mcp, 'servers') !== undefined
  }),
  fields: {
    ...local,
    oauth: oauth(
      {
        client_id: authText('clientId'),
        client_secret: authText('clientSecret'),
        scope: scopes('text'),
        callback_port: callbackPort,
        redirect_uri: authText('redirectUri'),
      },
      { canBeFalse: true },
    ),
    timeout: times,
    disabled,
  },
  write: {
    format: 'json',
    takeForRoot: takeToolRules,
    document: ({ entries, root }) => ({
      $schema: 'https://opencode.ai/config.json',
      mcp: { servers: entries },
      ...given(root),
    }),
  },
}

function given(root: WriteInput['root']): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(Object.entries(root).filter(([, rules]) => Object.keys(rules).length > 0))
}
