import { type DocumentLocation, fieldOf } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import { authText, oauth } from '../fields/auth.ts'
import { environmentWithNulls } from '../fields/environment.ts'
import type { FieldTable } from '../fields/field-rule.ts'
import { address, transport } from '../fields/transport.ts'
import { disabledUndocumented, dropped, list, map, refused, text } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { inputsOf, writtenInputs } from './prompts.ts'
import { mapEntries } from './shapes.ts'

const fields: FieldTable = {
  type: transport({ stdio: 'stdio', http: 'http', sse: 'sse' }),
  command: text('command'),
  args: list('args'),
  cwd: text('cwd'),
  env: environmentWithNulls,
  envFile: text('envFile'),
  url: address(),
  headers: map('headers'),
  oauth: oauth({
    clientId: authText('clientId'),
    enterpriseManaged: dropped('only VS Code can use enterprise sign-in'),
  }),
  dev: dropped('it is for development in VS Code'),
  gallery: dropped('it only says where VS Code found the server'),
  version: dropped('it only says which version VS Code found'),
  sandboxEnabled: refused(
    'the server must run in a sandbox, which Toolbridge does not provide',
    'run it in VS Code, or write "sandboxEnabled": false if you trust it',
  ),
  sandbox: refused(
    'the server must run in a sandbox, which Toolbridge does not provide',
    'run it in VS Code, or remove "sandbox" if you trust it',
  ),
  disabled: disabledUndocumented,
}

/** VS Code: `servers` and `inputs`, in older settings under `mcp`; portable files have `mcpServers`. */
export const vscode: Dialect = {
  name: 'vscode',
  title: 'VS Code',
  format: 'json',
  locations: [
    { scope: 'project', path: '.vscode/mcp.json' },
    { scope: 'user', platforms: ['darwin'], path: '~/Library/Application Support/Code/User/mcp.json' },
    { scope: 'user', platforms: ['win32'], path: '%APPDATA%/Code/User/mcp.json' },
    { scope: 'user', platforms: ['linux'], path: '~/.config/Code/User/mcp.json' },
    { scope: 'project', path: '.vscode/settings.json' },
    { scope: 'user', platforms: ['darwin'], path: '~/Library/Application Support/Code/User/settings.json' },
    { scope: 'user', platforms: ['win32'], path: '%APPDATA%/Code/User/settings.json' },
    { scope: 'user', platforms: ['linux'], path: '~/.config/Code/User/settings.json' },
    {
      scope: 'user',
      platforms: ['darwin'],
      path: '~/Library/Application Support/Code - Insiders/User/mcp.json',
    },
    { scope: 'user', platforms: ['win32'], path: '%APPDATA%/Code - Insiders/User/mcp.json' },
    { scope: 'user', platforms: ['linux'], path: '~/.config/Code - Insiders/User/mcp.json' },
  ],
  preset: { 'vars.workspace': ['.vscode'], 'env.path': 'append' },
  facts: {
    'config.roots': ['servers', 'mcpServers'],
    'vars.syntax': [
      '${input:id}',
      '${env:NAME}',
      '${workspaceFolder}',
      '${userHome}',
      '${pathSeparator}',
      '${/}',
    ],
  },
  root: {
    key: 'servers',
    fits: (root) => serversOf(root) !== undefined,
    locate: (root, context) => {
      context.inputs.push(...inputsOf(settingsOf(root), context.report))
      const servers = serversOf(root)
      return servers === undefined ? [] : mapEntries(servers, context)
    },
    beside: { inputs: 'inputs' },
    knownFields: (file) =>
      /(?:^|[\\/])settings\.json$/.test(file) ? 'any' : ['mcp', 'mcpServers', 'inputs', 'sandbox', '$schema'],
    apply: (root, _entries, { report }) => {
      const sandbox = fieldOf(root, 'sandbox')
      if (sandbox === undefined) return
      report(sandbox, {
        code: 'field_dropped',
        severity: 'warning',
        message:
          '"sandbox" was ignored: Toolbridge has no sandbox, and servers that require one are not used',
        fix: 'no action needed',
      })
    },
  },
  fields,
  variables: { everything: 'vscode' },
  addressMeans: 'http',
  transports: ['stdio', 'http', 'sse'],
  write: {
    format: 'json',
    document: ({ entries, inputs }): JsonValue => ({
      ...writtenInputs(inputs),
      servers: entries,
    }),
  },
}

function serversOf(root: DocumentLocation): DocumentLocation | undefined {
  return fieldOf(settingsOf(root), 'servers') ?? fieldOf(root, 'mcpServers')
}

/** Settings of older versions have everything under `mcp`. */
function settingsOf(root: DocumentLocation): DocumentLocation {
  const settings = fieldOf(root, 'mcp')
  return settings !== undefined && fieldOf(settings, 'servers') !== undefined ? settings : root
}
