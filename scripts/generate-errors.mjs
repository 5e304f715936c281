// Writes docs/errors.md from what the built packages do with each error; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ConfigError, DeniedError } from '../packages/bridge/dist/index.js'
import { ExitCode, exitCodeOf } from '../packages/cli/dist/exit-code.js'
import { McpError, McpErrorCode } from '../packages/client/dist/index.js'
import { problemTable } from '../packages/gateway/dist/errors.js'
import { callFailure } from '../packages/gateway/dist/mcp/failure.js'
import { LockboxError, SealError } from '../packages/lockbox/dist/index.js'

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

const made = document()
if (!process.argv.includes('--check')) writeFileSync(target, made)
else if (readFileSync(target, 'utf8') !== made) {
  process.stderr.write('docs/errors.md is not current; run node scripts/generate-errors.mjs\n')
  process.exit(1)
}

function document() {
  const sections = Object.keys(problemTable).map((family) => section(family))
  return `${[heading, ...sections, exits(), wireCodes()].join('\n\n')}\n`
}

function section(family) {
  const { title, advice, make } = families[family]
  const rows = Object.entries(problemTable[family]).map(([code, kind]) => row(code, kind, make))
  const columns = ['in code', 'over HTTP', 'to an MCP host', 'exit status', 'what happened']
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
