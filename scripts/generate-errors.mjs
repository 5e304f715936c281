// Writes docs/errors.md from what the built packages do with each error; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { ConfigError, DeniedError } from '../packages/bridge/dist/index.js'
import { McpError, McpErrorCode } from '../packages/client/dist/index.js'
import { McpAuthError } from '../packages/client/dist/auth.js'
import { problemOf, problemTable } from '../packages/gateway/dist/errors/problems.js'
import { callFailure } from '../packages/gateway/dist/mcp/call-failure.js'
import { LockboxError, SealError } from '../packages/lockbox/dist/index.js'

// The command is bundled and exports nothing, so these come from its sources.
const { ExitCode } = await sourceOf('exit-code')
const { exitCodeOf } = await sourceOf('report-error')

const target = fileURLToPath(new URL('../docs/errors.md', import.meta.url))

/** Below the wire's own codes, so that one which passes through can be told from ours. */
const PEER_CODE = 4711

const families = {
  mcp: {
    title: 'The server, or the link to it: `McpError` by `kind`',
    advice:
      'Where an answer was lost, late or unreadable the effect of a call is unknown: repeat it only if that does no harm.',
    make: (kind) => new McpError('', { kind, code: PEER_CODE }),
  },
  denied: {
    title: 'Nobody agreed to the call: `DeniedError` by `code`',
    advice:
      'Nothing was sent to the server. Trying again changes nothing; another rule or another answer does.',
    make: (code) => new DeniedError('', { code }),
  },
  config: {
    title: 'The configuration: `ConfigError` by `code`',
    advice: 'It carries every issue with its place and what to do. Try again after an edit.',
    make: (code) => new ConfigError('', { code, issues: [] }),
  },
  lockbox: {
    title: 'The store: `LockboxError` by `code`',
    advice: 'Nothing was saved. After a conflict, read the current version first; the error names both.',
    make: (code) => new LockboxError(code, ''),
  },
  seal: {
    title: 'A sealed value: `SealError` by `code`',
    advice:
      'With another key, find the right one; a damaged value needs a backup. Trying again changes nothing.',
    make: (code) => new SealError(code, ''),
  },
  gateway: {
    title: 'A request to the gateway itself: `GatewayError` by `code`',
    advice: 'Only whoever sent the request sees these; the detail says what to do.',
    make: undefined,
  },
}

/** What each code of authorization means. The error itself says where it happened and what to do. */
const authMeanings = {
  unreachable: 'the authorization server, or the metadata of the server, cannot be reached',
  too_large: 'an answer is larger than any that would make sense',
  timeout: 'there was no answer in time',
  redirected: 'the answer leads somewhere else, where secrets must not follow',
  server_error: 'the other side failed on its own; nothing that is kept has become wrong',
  challenge_malformed: 'the `WWW-Authenticate` header cannot be read',
  metadata_missing: 'nothing says where to get tokens, or how',
  metadata_malformed: 'a metadata document cannot be used',
  resource_mismatch: 'the metadata is about another server',
  issuer_mismatch: 'metadata or a callback comes from another authorization server than expected',
  endpoint_unsafe: 'an endpoint is not an https address that credentials may be sent to',
  pkce_unsupported: 'the authorization server does not protect codes with S256',
  answer_malformed: 'an answer is neither a result nor an error',
  token_type_unsupported: 'the token is of a kind that was not agreed on',
  client_unknown: 'there is no client id for this authorization server and no way to get one',
  client_expired: 'the secret of the configured client has expired',
  client_metadata_url_invalid: 'the address of the client metadata document cannot be a client id',
  client_authentication_unsupported: 'the client cannot authenticate as it was registered',
  redirect_uri_invalid: 'there is no safe address to come back to',
  registration_refused: 'the authorization server did not register this client',
  key_invalid: 'the private key cannot be used',
  algorithm_unsupported: 'this runtime cannot sign with that algorithm',
  flow_unknown: 'no login that was begun here belongs to the callback',
  state_mismatch: 'the callback belongs to another login',
  callback_malformed: 'the callback holds neither a code nor an error',
  authorization_refused: 'the person or the authorization server said no',
  step_up_limit: 'the server goes on asking for more than was granted',
  login_failed: 'the server refuses the very token that a login for it just brought',
  invalid_client: 'the authorization server does not accept this client',
  invalid_grant: 'the code or refresh token is used up, expired or revoked',
  invalid_scope: 'the scope is not allowed',
  use_dpop_nonce: 'a proof has to hold the nonce that came with the refusal',
  token_refused: 'the authorization server gave no token for another reason; `oauthError` names it',
  refresh_outcome_unknown:
    'a refresh was sent and its answer lost; only a new login is sure not to repeat it',
  storage_failed: 'tokens or a login could not be kept or read',
}

const exitMeanings = {
  Ok: 'it worked',
  ToolFailed: 'the tool, or the server, reports failure',
  Config: 'the configuration or the command line is wrong',
  Link: 'a server could not be reached, or the link to it broke: the effect of a call is unknown',
  Denied: 'a rule or a person said no',
  Storage: 'the stored settings cannot be opened',
  Bug: 'a defect of Toolbridge itself',
  Cancelled: 'interrupted',
}

const heading = `# Errors

Made by \`scripts/generate-errors.mjs\` from what the packages do with each error; do not edit.

A tool that ran and reports its own failure is no error: it is a result with \`isError\`, and the command ends with status
${ExitCode.ToolFailed}. A cancelled call rejects with its signal's own reason. Everything that can go wrong otherwise belongs to one of these
families, each with a closed set of codes to switch on. Over HTTP an error is a problem document (RFC 9457) with that
\`code\`. Whatever is not in a table is a bug: it is logged under an id, and the caller sees only the id.`

const codesIntroduction = `\`kind\` says who failed. An error of kind \`peer\` keeps the code that the server gave; every other kind has one of these,
which then says nothing about the server.`

const authAdvice =
  'It carries the `stage` in which it happened and a `fix`, which ends the message. Nothing on it shows a token, code or secret.'

const columns = ['in code', 'over HTTP', 'to an MCP host', 'exit status', 'what happened']

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
  return `${[heading, ...sections, authorization(), exits(), wireCodes()].join('\n\n')}\n`
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

/** Types leave nothing behind to ask at run time, so the source is read. */
function authCodes() {
  const source = readFileSync(
    new URL('../packages/client/src/auth/messages/mcp-auth-error.ts', import.meta.url),
    'utf8',
  )
  const [, union = ''] = /export type McpAuthErrorCode =\n((?:  (?:\||\/\/) .*\n)+)/.exec(source) ?? []
  const codes = [...union.matchAll(/\| '(\w+)'/g)].map(([, code]) => code)
  const unknown = codes.filter((code) => authMeanings[code] === undefined)
  if (codes.length === 0 || unknown.length > 0)
    throw new Error(`no meaning is written for: ${unknown.join(', ')}`)
  return codes
}

function exits() {
  const rows = Object.entries(ExitCode).map(([name, status]) => [status, exitMeanings[name]])
  return `## Exit status of the command\n\n${table(['status', 'meaning'], rows)}`
}

function wireCodes() {
  const rows = Object.entries(McpErrorCode).map(([name, code]) => [code, `\`${name}\``])
  return `## Codes of \`McpError\`\n\n${codesIntroduction}\n\n${table(['code', 'name'], rows)}`
}

function table(columns, rows) {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
