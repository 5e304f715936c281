// Generates docs/errors.md from the built packages. With --check, only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { ConfigError, DeniedError } from '../packages/bridge/dist/index.js'
import { McpError, McpErrorCode } from '../packages/client/dist/index.js'
import { McpAuthError } from '../packages/client/dist/auth.js'
import { ModelError } from '../packages/agent/dist/index.js'
import { problemOf, problemTable } from '../packages/gateway/dist/errors/problems.js'
import { callFailure } from '../packages/gateway/dist/mcp/call-failure.js'
import { LockboxError, SealError } from '../packages/lockbox/dist/index.js'

// The command is bundled and exports nothing, so these come from its sources.
const { ExitCode, exitMeanings } = await sourceOf('exit-code')
const { exitCodeOf } = await sourceOf('report-error')

const target = fileURLToPath(new URL('../docs/errors.md', import.meta.url))

/** Not a JSON-RPC code of Toolbridge, so a code that is passed through can be recognized. */
const PEER_CODE = 4711

const families = {
  mcp: {
    title: 'Servers and connections: `McpError` by `kind`',
    advice:
      'If a response was lost, late or unreadable, the effect of the call is unknown. Repeat the call only if that is safe.',
    make: (kind) => new McpError('', { kind, code: PEER_CODE }),
  },
  denied: {
    title: 'Permissions: `DeniedError` by `code`',
    advice: 'The call was not sent to the server. Retrying does not help; change the rules or the answer.',
    make: (code) => new DeniedError('', { code }),
  },
  config: {
    title: 'Configuration: `ConfigError` by `code`',
    advice: 'The error has every issue with its position and a fix. Retry after an edit.',
    make: (code) => new ConfigError('', { code, issues: [] }),
  },
  lockbox: {
    title: 'Storage: `LockboxError` by `code`',
    advice:
      'Nothing was saved. After a conflict, read the current version first; the error names both versions.',
    make: (code) => new LockboxError(code, ''),
  },
  seal: {
    title: 'Encrypted values: `SealError` by `code`',
    advice: 'For a wrong key, use the original key. A damaged value needs a backup. Retrying does not help.',
    make: (code) => new SealError(code, ''),
  },
  gateway: {
    title: 'Gateway requests: `GatewayError` by `code`',
    advice: 'Returned to the sender of the request only. The detail says what to do.',
    make: undefined,
  },
}

/** Descriptions of the authorization codes. The error itself has the stage and the fix. */
const authMeanings = {
  unreachable: 'the authorization server, or the metadata of the server, cannot be reached',
  too_large: 'a response exceeds the size limit',
  timeout: 'no response within the timeout',
  redirected: 'the response is a redirect, which is not followed with secrets',
  server_error: 'the other side failed; stored data is still valid',
  challenge_malformed: 'the `WWW-Authenticate` header cannot be parsed',
  metadata_missing: 'there is no metadata that says where to get tokens',
  metadata_malformed: 'a metadata document cannot be used',
  resource_mismatch: 'the metadata describes another server',
  issuer_mismatch: 'metadata or a callback is from an unexpected authorization server',
  endpoint_unsafe: 'an endpoint is not an https URL that may receive credentials',
  pkce_unsupported: 'the authorization server does not support PKCE with S256',
  answer_malformed: 'a response is neither a result nor an error',
  token_type_unsupported: 'the token has an unexpected type',
  client_unknown: 'there is no client id for this authorization server, and registration is not possible',
  client_expired: 'the secret of the configured client has expired',
  client_metadata_url_invalid: 'the URL of the client metadata document is not a valid client id',
  client_authentication_unsupported: 'the client cannot use the authentication method of its registration',
  redirect_uri_invalid: 'there is no safe redirect URI',
  registration_refused: 'the authorization server did not register this client',
  key_invalid: 'the private key cannot be used',
  algorithm_unsupported: 'this runtime cannot sign with that algorithm',
  flow_unknown: 'the callback does not belong to a login that began here',
  state_mismatch: 'the callback belongs to another login',
  callback_malformed: 'the callback has neither a code nor an error',
  authorization_refused: 'the person or the authorization server refused',
  step_up_limit: 'the server keeps requesting scopes that were not granted',
  login_failed: 'the server refuses the token of a login that just completed',
  invalid_client: 'the authorization server does not accept this client',
  invalid_grant: 'the code or refresh token is used, expired or revoked',
  invalid_scope: 'the scope is not allowed',
  use_dpop_nonce: 'the proof must contain the nonce of the response',
  token_refused: 'the authorization server issued no token for another reason; see `oauthError`',
  refresh_outcome_unknown: 'a refresh was sent and its response lost; sign in again',
  storage_failed: 'tokens or a login could not be stored or read',
}

/** Descriptions of the codes of models. */
const modelMeanings = {
  no_key: "the variable with the provider's key is not set",
  unknown_provider: 'the name of the model does not begin with a known provider',
  invalid_model: 'the name has no model, or the base URL cannot be used',
  failed: 'the provider refused the request, or its answer was lost or unreadable',
}

const heading = `# Errors

Generated by \`scripts/generate-errors.mjs\` from the built packages; do not edit.

A tool that ran and failed is not an error: it is a result with \`isError\`, and the exit status of the command is ${ExitCode.ToolFailed}. A
cancelled call rejects with the reason of its signal. Every other failure belongs to one of these families, each with a
closed set of codes. Over HTTP, an error is a problem document (RFC 9457) with that \`code\`. A failure that is not in a table is
a bug: it is logged with an id, and the caller gets only the id.`

const codesIntroduction = `\`kind\` says which side failed. An error of kind \`peer\` has the code of the server; every other kind has one of these codes,
which then is not from the server.`

const authAdvice =
  'The error has the `stage` in which it happened and a `fix`, which ends the message. It contains no token, code or secret.'

const modelAdvice =
  'The message names the variable to set, or what the provider answered. It contains no key and nothing of the conversation.'

const columns = ['in code', 'over HTTP', 'to an MCP host', 'exit status', 'meaning']

const made = document()
if (!process.argv.includes('--check')) writeFileSync(target, made)
else if (readFileSync(target, 'utf8') !== made) {
  process.stderr.write('docs/errors.md is not current; run node scripts/generate-errors.mjs\n')
  process.exit(1)
}

async function sourceOf(name) {
  const file = fileURLToPath(new URL(`../packages/cli/src/${name}.ts`, import.meta.url))
  return (await runnerImport(file, { configFile: false, logLevel: 'error' })).module
}

function document() {
  const sections = Object.keys(problemTable).map((family) => section(family))
  return `${[heading, ...sections, authorization(), models(), exits(), wireCodes()].join('\n\n')}\n`
}

function authError(code) {
  return new McpAuthError('', { code, stage: 'token', fix: '' })
}

function section(family) {
  const { title, advice, make } = families[family]
  const rows = Object.entries(problemTable[family]).map(([code, kind]) => row(code, kind, make))
  return `## ${title}\n\n${advice}\n\n${table(columns, rows)}`
}

function row(code, { code: problem, status, title }, make) {
  const [host, exit] = make === undefined ? ['–', '–'] : [hostMeaning(make(code)), exitCodeOf(make(code))]
  return [`\`${code}\``, `${status} \`${problem}\``, host, exit, title]
}

function hostMeaning(error) {
  try {
    callFailure(error, () => undefined)
    return 'a result with `isError`'
  } catch ({ code, data }) {
    return code === PEER_CODE ? "the server's own error" : `error ${code} with \`${data.code}\``
  }
}

function authorization() {
  const rows = authCodes().map((code) => {
    const { code: problem, status } = problemOf(authError(code))
    return row(code, { code: problem, status, title: authMeanings[code] }, authError)
  })
  return `## Authorization: \`McpAuthError\` by \`code\`\n\n${authAdvice}\n\n${table(columns, rows)}`
}

/** Reads the source, because types do not exist at run time. */
function authCodes() {
  const source = sourceText('client/src/auth/messages/mcp-auth-error.ts')
  const [, union = ''] = /export type McpAuthErrorCode =\n((?:  (?:\||\/\/) .*\n)+)/.exec(source) ?? []
  return described(union, authMeanings)
}

function models() {
  const union = /^export type ModelErrorCode = (.*)$/m.exec(sourceText('agent/src/model-error.ts'))?.[1] ?? ''
  const rows = described(`| ${union}`, modelMeanings).map((code) => [
    `\`${code}\``,
    exitCodeOf(new ModelError(code, '')),
    modelMeanings[code],
  ])
  return `## Models: \`ModelError\` by \`code\`\n\n${modelAdvice}\n\n${table(['in code', 'exit status', 'meaning'], rows)}`
}

function sourceText(path) {
  return readFileSync(new URL(`../packages/${path}`, import.meta.url), 'utf8')
}

/** The codes of a union type, each of which must have a description. */
function described(union, meanings) {
  const codes = [...union.matchAll(/\| '(\w+)'/g)].map(([, code]) => code)
  const unknown = codes.filter((code) => meanings[code] === undefined)
  if (codes.length === 0 || unknown.length > 0) throw new Error(`no description for: ${unknown.join(', ')}`)
  return codes
}

function exits() {
  const rows = Object.values(ExitCode).map((status) => [status, exitMeanings[status]])
  return `## Exit status of the command\n\n${table(['status', 'meaning'], rows)}`
}

function wireCodes() {
  const rows = Object.entries(McpErrorCode).map(([name, code]) => [code, `\`${name}\``])
  return `## Codes of \`McpError\`\n\n${codesIntroduction}\n\n${table(['code', 'name'], rows)}`
}

function table(columns, rows) {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
