import { fieldOf, fieldsOf } from '../documents/config-document.ts'
import { approvals, approvalWords } from '../fields/approval.ts'
import { authKind, authText, callbackPort, oauth, scopes } from '../fields/auth.ts'
import type { FieldTable } from '../fields/field-rule.ts'
import { headersHelper } from '../fields/headers.ts'
import { names } from '../fields/name-lists.ts'
import { policies } from '../fields/policies.ts'
import { address, transport } from '../fields/transport.ts'
import {
  count,
  disabled,
  dropped,
  flag,
  group,
  list,
  map,
  milliseconds,
  text,
  word,
} from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { inputsOf, writtenInputs } from './prompts.ts'
import { mapEntries, serverMap } from './shapes.ts'

const authFields: FieldTable = {
  kind: authKind,
  clientId: authText('clientId'),
  clientSecret: authText('clientSecret'),
  scopes: scopes('list'),
  callbackPort,
  redirectUri: authText('redirectUri'),
  resource: authText('resource'),
  metadataUrl: authText('metadataUrl'),
  authorizationUrl: authText('authorizationUrl'),
  tokenUrl: authText('tokenUrl'),
}

/** Toolbridge's own dialect: canonical field names under `mcpServers`. Also used for files that match no host. */
export const toolbridge: Dialect = {
  name: 'mcp-servers',
  title: 'Toolbridge',
  format: 'json',
  locations: [
    {
      scope: 'project',
      path: '.toolbridge/mcp.json',
      isUpward: true,
      variable: { name: 'TOOLBRIDGE_MCP_FILE', isInEnvFile: true },
    },
    { scope: 'user', path: '~/.toolbridge/mcp.json' },
  ],
  preset: {},
  facts: {},
  root: {
    ...serverMap(['mcpServers'], { knownFields: ['inputs', '$schema'], beside: { inputs: 'inputs' } }),
    locate: (root, context) => {
      context.inputs.push(...inputsOf(root, context.report))
      const servers = fieldOf(root, 'mcpServers')
      return servers === undefined ? [] : mapEntries(servers, context)
    },
  },
  fields: {
    type: transport({ stdio: 'stdio', http: 'http', sse: 'sse', ws: 'ws' }),
    transport: {
      ...transport({ stdio: 'stdio', http: 'http', sse: 'sse', ws: 'ws' }),
      write: () => undefined,
    },
    command: text('command'),
    args: list('args'),
    env: map('env'),
    cwd: text('cwd'),
    envFile: text('envFile'),
    inheritEnv: word('inheritEnv', { safe: 'safe', all: 'all', none: 'none' }),
    inheritNames: names('inheritNames'),
    unsetEnv: names('unsetEnv'),
    url: address(),
    headers: map('headers'),
    headersHelper: headersHelper('object'),
    auth: oauth(authFields, { canBeFalse: true }),
    enabled: flag('enabled'),
    disabled,
    required: flag('required'),
    readOnly: flag('readOnly'),
    start: word('start', { eager: 'eager', lazy: 'lazy', 'on-demand': 'on-demand' }),
    replace: word('replace', { 'start-first': 'start-first', 'stop-first': 'stop-first' }),
    timeouts: group({ startMs: milliseconds('startMs'), callMs: milliseconds('callMs') }),
    maxConcurrency: count('maxConcurrency'),
    timeout: dropped('its unit depends on the host that wrote it', 'write "timeouts": { "callMs": … }'),
    tools: group({ allow: names('allow'), deny: names('deny') }),
    approval: group({ default: word('approvalDefault', approvalWords), tools: approvals }),
    policy: policies,
  },
  variables: { everything: 'canonical' },
  addressMeans: 'http',
  write: {
    format: 'json',
    document: ({ entries, inputs }) => ({ ...writtenInputs(inputs), mcpServers: entries }),
  },
}

/** Toolbridge's own dialect for a document that is only a map of servers. */
export const bareToolbridge: Dialect = {
  ...toolbridge,
  root: {
    key: '',
    fits: (root) => {
      const entries = fieldsOf(root)
      return (
        entries.length > 0 &&
        entries.every((entry) => ['command', 'url'].some((key) => fieldOf(entry, key) !== undefined))
      )
    },
    locate: (root, context) => mapEntries(root, context),
    knownFields: 'any',
  },
}
