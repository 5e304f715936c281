import { fieldOf } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import { approvalPerTool } from '../fields/approval.ts'
import { authText, callbackPort, oauth, scopes, takeAuth } from '../fields/auth.ts'
import { quoted } from '../fields/entry-reader.ts'
import { handedOnNames } from '../fields/environment.ts'
import type { FieldRule } from '../fields/field-rule.ts'
import { bearerTokenVariable, headersFromVariables, headersHelper } from '../fields/headers.ts'
import { exactNames } from '../fields/name-lists.ts'
import { address } from '../fields/transport.ts'
import { dropped, flag, list, map, milliseconds, refused, seconds, text, word } from '../fields/values.ts'
import type { ToolApproval } from '../spec/server-spec.ts'
import type { Dialect } from './dialect.ts'
import { serverMap } from './shapes.ts'

/** `auto` asks unless the tool is annotated as read-only, as `writes` does. */
const approvalModes: Readonly<Record<string, ToolApproval>> = {
  approve: 'allow',
  prompt: 'ask',
  writes: 'writes',
  auto: 'writes',
}

const inlineToken: FieldRule = {
  specFields: [],
  outcome: 'refused',
  note: 'Codex does not accept a literal token',
  read: (field, entry) =>
    entry.refuse(field, {
      code: 'secret_inline',
      message: `${quoted(field)} is a secret in the file, which Codex does not accept`,
      found: 'a literal token',
      expected: 'the name of an environment variable',
      fix: 'set an environment variable and name it in "bearer_token_env_var"',
    }),
}

/** How Codex signs in. Of its own accounts only Codex can make use. */
const auth: FieldRule = {
  specFields: ['auth'],
  note: 'sign-ins other than `oauth` are supported by Codex only',
  read: (field, entry) => {
    const { value } = field.node
    if (value === 'oauth') entry.specFields.auth = { ...entry.specFields.auth, kind: 'oauth' }
    else if (value === 'chatgpt' || value === 'ema_auth') ownAccount.read(field, entry)
    else entry.invalidWord(field, quoted(field), ['oauth', 'chatgpt', 'ema_auth'])
  },
  write: (specFields) => (specFields.auth?.kind === 'oauth' ? takeAuth(specFields, 'kind') : undefined),
}

const ownAccount = dropped('only Codex can sign in with its own account', 'sign in with OAuth or a header')

const otherMachine = refused('the server runs on another machine', 'run it in Codex, or remove the field')

/** Another machine, unless it says `local`. */
const environment: FieldRule = {
  ...otherMachine,
  read: (field, entry) => {
    if (field.node.value === 'local')
      entry.remember(field, { outcome: 'dropped', reason: 'it has no effect' })
    else otherMachine.read(field, entry)
  },
}

/** Only read; seconds are written to `_sec`. */
const startupMilliseconds: FieldRule = { ...milliseconds('startMs'), write: () => undefined }

export const codex: Dialect = {
  name: 'codex',
  title: 'Codex',
  format: 'toml',
  locations: [
    { scope: 'project', path: '.codex/config.toml', isUpward: true },
    { scope: 'user', path: '~/.codex/config.toml', variable: { name: 'CODEX_HOME', replaces: '~/.codex' } },
    { scope: 'managed', platforms: ['darwin', 'linux'], path: '/etc/codex/config.toml' },
  ],
  preset: {},
  facts: { 'config.roots': ['mcp_servers'], 'vars.syntax': [], 'vars.fields': 'none' },
  root: serverMap(['mcp_servers'], {
    knownFields: 'any',
    fits: (root) => fieldOf(root, 'mcp_servers') !== undefined,
  }),
  fields: {
    command: text('command'),
    args: list('args'),
    env_vars: handedOnNames,
    env: map('env'),
    cwd: text('cwd'),
    environment_id: otherMachine,
    experimental_environment: environment,
    url: address(),
    bearer_token_env_var: bearerTokenVariable,
    bearer_token: inlineToken,
    env_http_headers: headersFromVariables,
    http_headers: map('headers'),
    http_headers_helper: headersHelper('list'),
    auth,
    scopes: scopes('list'),
    oauth_resource: authText('resource'),
    oauth: oauth({ client_id: authText('clientId'), callback_port: callbackPort }),
    enabled: flag('enabled'),
    required: flag('required'),
    startup_timeout_sec: seconds('startMs'),
    startup_timeout_ms: startupMilliseconds,
    tool_timeout_sec: seconds('callMs'),
    enabled_tools: exactNames('allow'),
    disabled_tools: exactNames('deny'),
    default_tools_approval_mode: word('approvalDefault', approvalModes),
    tools: approvalPerTool('approval_mode', approvalModes),
    omit_tools_from: refused('only Codex can apply it', 'use "disabled_tools"'),
    supports_parallel_tool_calls: dropped('calls always run in parallel'),
  },
  variables: {},
  addressMeans: 'http',
  transports: ['stdio', 'http'],
  names: /^[\w-]+$/,
  write: { format: 'toml', document: ({ entries }): JsonValue => ({ mcp_servers: entries }) },
}
