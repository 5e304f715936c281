import { fieldOf } from '../documents/config-document.ts'
import { authKind, authText, scopes } from '../fields/auth.ts'
import { commandLine, furtherArguments } from '../fields/command.ts'
import { quoted } from '../fields/entry-reader.ts'
import type { FieldRule } from '../fields/field-rule.ts'
import { bearerToken, bearerTokenVariable } from '../fields/headers.ts'
import { names } from '../fields/name-lists.ts'
import { address, transport } from '../fields/transport.ts'
import { disabled, dropped, map, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

/** `keep-alive` or `ephemeral`, directly or in an object. */
const lifecycle: FieldRule = {
  specFields: ['start'],
  outcome: 'translated',
  note: 'keep-alive starts with the bridge, ephemeral on first use',
  read: (field, entry) => {
    const value = field.node.type === 'object' ? fieldOf(field, 'mode')?.node.value : field.node.value
    if (value === 'keep-alive' || value === 'ephemeral')
      entry.specFields.start = value === 'ephemeral' ? 'lazy' : 'eager'
    else entry.invalidWord(field, quoted(field), ['keep-alive', 'ephemeral'])
  },
}

const secretVariable: FieldRule = {
  ...authText('clientSecret'),
  read: (field, entry) => {
    const name = field.node.value
    if (typeof name === 'string' && name !== '')
      entry.specFields.auth = { ...entry.specFields.auth, clientSecret: `\${env:${name}}` }
    else entry.invalid(field, quoted(field), 'the name of an environment variable')
  },
}

export const mcporter: Dialect = {
  name: 'mcporter',
  title: 'mcporter',
  format: 'json',
  locations: [
    { scope: 'project', path: 'config/mcporter.json' },
    { scope: 'project', path: 'config/mcporter.jsonc' },
    { scope: 'user', path: '~/.mcporter/mcporter.json' },
    { scope: 'user', path: '~/.mcporter/mcporter.jsonc' },
    {
      scope: 'user',
      path: '~/.config/mcporter/mcporter.json',
      variable: { name: 'XDG_CONFIG_HOME', replaces: '~/.config' },
    },
  ],
  preset: { 'vars.unset': 'error', 'paths.base': 'config-folder', 'env.inherit': 'all' },
  facts: { 'vars.syntax': ['${NAME}', '${NAME:-default}', '$env:NAME'] },
  root: serverMap(['mcpServers'], {
    knownFields: ['imports', '$schema'],
    apply: (root, entries, { report }) => {
      for (const entry of entries) {
        if (entry.specFields.allow === undefined || entry.specFields.deny === undefined) continue
        entry.refuse(entry.location, {
          code: 'field_conflict',
          message: 'it has both "allowedTools" and "blockedTools"',
          found: 'both',
          expected: 'one of the two',
          fix: 'keep one of them',
        })
      }
      const imports = fieldOf(root, 'imports')
      if (imports === undefined || imports.node.children?.length === 0) return
      report(imports, {
        code: 'field_dropped',
        severity: 'warning',
        message: '"imports" was ignored: files of other hosts are discovered on their own',
        fix: 'no action needed',
      })
    },
  }),
  fields: {
    type: transport({ stdio: 'stdio', http: 'http', sse: 'sse' }),
    transport: transport({ stdio: 'stdio', http: 'http', sse: 'sse' }),
    command: commandLine,
    args: furtherArguments,
    cwd: text('cwd'),
    env: map('env'),
    lifecycle,
    url: address(),
    baseUrl: address(),
    serverUrl: address(),
    headers: map('headers'),
    bearerToken,
    bearerTokenEnv: bearerTokenVariable,
    auth: authKind,
    oauthClientId: authText('clientId'),
    oauthClientSecret: authText('clientSecret'),
    oauthClientSecretEnv: secretVariable,
    oauthScope: scopes('text'),
    oauthRedirectUrl: authText('redirectUri'),
    clientName: dropped('it is descriptive only'),
    tokenCacheDir: dropped('Toolbridge has its own token store'),
    refresh: dropped('tokens are refreshed when they expire'),
    protocolVersion: dropped('the revision is negotiated with the server'),
    httpFetch: dropped('there is only one HTTP implementation'),
    logging: dropped('logs of all servers are kept'),
    description: dropped('it is descriptive only'),
    allowedTools: names('allow'),
    blockedTools: names('deny'),
    disabled: { ...disabled, note: 'undocumented, but in use' },
  },
  variables: { everything: 'mcporter' },
  addressMeans: 'http',
}
