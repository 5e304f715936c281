import { textBefore } from '@toolbridge/client/internal'
import type { JsonValue } from '../documents/json-value.ts'
import { trustAll } from '../fields/approval.ts'
import { authText, oauth, scopes, takeAuth } from '../fields/auth.ts'
import { type EntryReader, quoted } from '../fields/entry-reader.ts'
import type { FieldRule } from '../fields/field-rule.ts'
import { exactNames } from '../fields/name-lists.ts'
import { address, transport } from '../fields/transport.ts'
import { disabledHereOnly, dropped, list, map, milliseconds, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { descend, serverMap, textsAt } from './shapes.ts'
import { enableOnly, turnOff } from './turn-off.ts'

const oauthEnabled: FieldRule = {
  specFields: ['auth'],
  outcome: 'translated',
  note: 'false disables authorization',
  read: (field, entry) => {
    const { value } = field.node
    if (typeof value !== 'boolean') return entry.invalid(field, quoted(field), 'true or false')
    entry.specFields.auth = { ...entry.specFields.auth, kind: value ? 'oauth' : 'none' }
  },
  write: (specFields) => {
    const kind = takeAuth(specFields, 'kind')
    return kind === undefined ? undefined : kind === 'oauth'
  },
}

/** Arguments after a name have no effect: `run(x)` allows `run`. */
const includedTools: FieldRule = {
  ...exactNames('allow'),
  read: (field, entry) => {
    exactNames('allow').read(field, entry)
    const { allow } = entry.specFields
    if (allow !== undefined) entry.specFields.allow = allow.map((tool) => textBefore(tool, '('))
  },
}

/** Tools that are excluded by their public name, or by a plain name for all servers. */
function denyExcluded(entries: readonly EntryReader[], names: readonly string[]): void {
  for (const { server, specFields } of entries) {
    const own = names.flatMap((name) => {
      const prefixes = [`mcp_${server}_`, `mcp__${server}__`, `${server}__`]
      const prefix = prefixes.find((each) => name.startsWith(each))
      if (prefix !== undefined) return [name.slice(prefix.length)]
      return /^mcp_|__/.test(name) ? [] : [textBefore(name, '(')]
    })
    if (own.length > 0) specFields.deny = [...new Set([...(specFields.deny ?? []), ...own])]
  }
}

export const geminiCli: Dialect = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  format: 'json',
  locations: [
    { scope: 'project', path: '.gemini/settings.json' },
    { scope: 'user', path: '~/.gemini/settings.json' },
    { scope: 'user', path: '~/.gemini/extensions/*/gemini-extension.json' },
    { scope: 'managed', platforms: ['darwin'], path: '/Library/Application Support/GeminiCli/settings.json' },
    { scope: 'managed', platforms: ['linux'], path: '/etc/gemini-cli/settings.json' },
    { scope: 'managed', platforms: ['win32'], path: 'C:/ProgramData/gemini-cli/settings.json' },
  ],
  hostEnvironment: 'all but secrets',
  preset: { 'vars.unset': 'keep', 'vars.default': 'unset' },
  facts: {
    'vars.syntax': [
      '$NAME',
      '${NAME}',
      '${NAME:-default}',
      '%NAME% on Windows',
      '${extensionPath}',
      '${workspacePath}',
      '${/}',
    ],
    'vars.phase': 'load',
  },
  root: serverMap(['mcpServers'], {
    knownFields: 'any',
    beside: { enabled: 'mcp.allowed mcp.excluded', deny: 'tools.exclude permissions.deny' },
    fits: (root) =>
      [['mcpServers'], ['mcp', 'allowed'], ['mcp', 'excluded']].some(
        (path) => descend(root, path) !== undefined,
      ),
    apply: (root, entries, context) => {
      turnOff(entries, textsAt(root, ['mcp', 'excluded']) ?? [], context, descend(root, ['mcp', 'excluded']))
      const allowed = textsAt(root, ['mcp', 'allowed'])
      if (allowed !== undefined) enableOnly(entries, allowed, context, descend(root, ['mcp', 'allowed']))
      denyExcluded(entries, textsAt(root, ['tools', 'exclude']) ?? [])
      denyExcluded(entries, textsAt(root, ['permissions', 'deny']) ?? [])
      const command = descend(root, ['mcp', 'serverCommand'])
      if (command === undefined) return
      context.report(command, {
        code: 'field_dropped',
        severity: 'warning',
        message: '"mcp.serverCommand" was ignored: it starts a server without a name',
        fix: 'define that server under "mcpServers"',
      })
    },
  }),
  fields: {
    type: transport({ http: 'http', sse: 'sse' }),
    command: text('command'),
    args: list('args'),
    env: map('env'),
    cwd: text('cwd'),
    tcp: { ...address('ws'), note: 'declared, but Gemini CLI cannot connect', write: () => undefined },
    url: address(),
    httpUrl: { ...address('http'), note: 'deprecated' },
    headers: map('headers'),
    oauth: oauth({
      enabled: oauthEnabled,
      clientId: authText('clientId'),
      clientSecret: authText('clientSecret'),
      authorizationUrl: authText('authorizationUrl'),
      tokenUrl: authText('tokenUrl'),
      scopes: scopes('list'),
      redirectUri: authText('redirectUri'),
      tokenParamName: dropped('tokens are sent in the header'),
      audiences: dropped('the audience is always the server'),
    }),
    authProviderType: dropped('only Gemini CLI supports these providers'),
    targetAudience: dropped('only Gemini CLI supports these providers'),
    targetServiceAccount: dropped('only Gemini CLI supports these providers'),
    timeout: milliseconds('callMs'),
    includeTools: includedTools,
    excludeTools: exactNames('deny'),
    trust: trustAll,
    description: dropped('it is descriptive only'),
    disabled: disabledHereOnly,
  },
  variables: { everything: 'gemini' },
  addressMeans: 'http',
  transports: ['stdio', 'http', 'sse'],
  write: {
    format: 'json',
    document: ({ entries, turnedOff }): JsonValue => ({
      mcpServers: entries,
      ...(turnedOff.length === 0 ? {} : { mcp: { excluded: turnedOff } }),
    }),
  },
}
