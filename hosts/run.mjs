/** `npm run hosts`: lets real hosts judge how their configuration files are read and written. Writes docs/hosts.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installOnce } from '../scripts/install-once.mjs'
import { readConfig, writeConfig, writtenDialects } from '@toolbridge/bridge/config'
import { actualOf, compare } from './compare.mjs'
import { judgeConnection } from './connection.mjs'
import { corpus } from './corpus/corpus.mjs'
import { written, writtenLabels, writtenRows } from './corpus/written.mjs'
import { hosts } from './hosts.mjs'
import { report, withConnections } from './report.mjs'
import { filled, runHost } from './run-host.mjs'
import { expectedOf, readByToolbridge } from './toolbridge.mjs'

const parts = ['read', 'write', 'connect']
const { values: options } = parseArgs({
  options: {
    host: { type: 'string', multiple: true, default: Object.keys(hosts) },
    /** Parts of the page to try: `read`, `write` and `connect`. Default: all. */
    only: { type: 'string', multiple: true, default: parts },
  },
})
requireKnown('host', options.host, Object.keys(hosts))
requireKnown('part', options.only, parts)

installOnce(fileURLToPath(new URL('.', import.meta.url)), 'the hosts')
const has = (part) => options.only.includes(part)
const results = []
const connections = []
for (const name of options.host) {
  const host = hosts[name]
  const runs = has('read') ? corpus[name] : []
  for (const run of runs) results.push(...(await settled(() => judgeReading(name, host, run))))
  const files = writtenDialects().includes(host.dialect) ? host.files : []
  for (const file of has('write') ? files : [])
    results.push(...(await settled(() => judgeWriting(name, host, file))))
  for (const file of has('connect') ? files : [])
    connections.push(...(await settled(async () => [await judgeConnection(name, host, file)])))
}

writePage()
const cases = [...results, ...connections]
const bad = cases.filter(isBad)
process.stderr.write(`${cases.length} cases, ${bad.length} of them wider or different\n`)
process.exitCode = bad.length === 0 ? 0 : 1

/** Written if all hosts were tried: the page, or only its part about connections. */
function writePage() {
  if (options.host.length < Object.keys(hosts).length) return
  const target = fileURLToPath(new URL('../docs/hosts.md', import.meta.url))
  if (parts.every(has)) writeFileSync(target, report(results, connections))
  else if (has('connect')) writeFileSync(target, withConnections(readFileSync(target, 'utf8'), connections))
}

function requireKnown(what, given, known) {
  const unknown = given.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`unknown ${what} ${unknown.join(', ')}: ${known.join(', ')}`)
}

/** On a busy machine a host may ask the model before all servers are connected. A difference is one that persists. */
async function settled(judge) {
  let judged = await judge()
  for (let again = 0; again < 2 && judged.some(isBad); again += 1) judged = await judge()
  for (const result of judged) tell(result)
  return judged
}

function isBad({ outcome }) {
  return outcome === 'wider' || outcome === 'different'
}

/** The host is the limit: Toolbridge must not start or allow more. */
async function judgeReading(name, host, { files, rows, labels = {} }) {
  const { expected, found, hasPrompt } = await runHost(host, () => ({
    files,
    expect: (run) => readByToolbridge(run, host),
  }))
  requireRun(host, found, hasPrompt)
  return Object.entries(rows).map(([server, row]) => {
    const definition = expected.servers.get(server) ?? { isStarted: false, warnings: [] }
    const label = definition.label ?? labels[server] ?? server
    const actual = actualOf(label, found)
    const isReported =
      definition.warnings.length > 0 || expected.issues.some(({ message }) => message.includes(`"${server}"`))
    const sides = { limit: actual, user: definition, expected: definition, actual, isReported }
    return { host: name, direction: 'read', row, server, ...compare(sides) }
  })
}

/** The definition is the limit: the host must not start or allow more when it reads what was written. */
async function judgeWriting(name, host, file) {
  let losses = []
  const { expected, found, hasPrompt } = await runHost(host, (run) => {
    const { servers } = readConfig(filled(written, run), { file: 'mcp.json', dialect: 'mcp-servers' })
    const target = `${run.folder}/${file}`
    const { text, unwritableFields } = writeConfig(servers, {
      dialect: host.dialect,
      file: target,
      workspaceFolder: run.project,
    })
    losses = unwritableFields
    const expect = async () =>
      new Map(await Promise.all(servers.map(async (spec) => [spec.name, await expectedOf(spec, run)])))
    return { files: { [file]: text }, expect }
  })
  requireRun(host, found, hasPrompt)
  return Object.entries(writtenRows).map(([server, row]) => {
    const definition = expected.get(server) ?? { isStarted: false, warnings: [] }
    const actual = actualOf(definition.label ?? writtenLabels[server] ?? server, found)
    const isReported = losses.some((loss) => loss.server === server)
    const sides = { limit: definition, user: actual, expected: definition, actual, isReported }
    return { host: name, direction: 'write', file, row, server, ...compare(sides) }
  })
}

/** Without a prompt the host failed before it read its files, or refused all of them. */
function requireRun(host, { output, isTimeout }, hasPrompt) {
  if (hasPrompt && !isTimeout) return
  process.stderr.write(
    `${host.title} ${isTimeout ? 'took too long' : 'sent no prompt'}:\n${output.slice(-2000)}\n`,
  )
}

function tell({ host, direction, file = '', row, outcome, detail }) {
  process.stderr.write(
    `${outcome.padEnd(9)} ${host} ${direction} ${file} ${row}${detail === '' ? '' : `: ${detail}`}\n`,
  )
}
