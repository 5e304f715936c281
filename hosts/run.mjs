/** `npm run hosts`: lets real hosts judge how their configuration files are read and written. Writes docs/hosts.md. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installOnce } from '../scripts/install-once.mjs'
import { readConfig, writeConfig, writtenDialects } from '@toolbridge/bridge/config'
import { actualOf, compare } from './compare.mjs'
import { corpus } from './corpus/corpus.mjs'
import { written, writtenLabels, writtenRows } from './corpus/written.mjs'
import { hosts } from './hosts.mjs'
import { report } from './report.mjs'
import { filled, runHost } from './run-host.mjs'
import { expectedOf, readByToolbridge } from './toolbridge.mjs'

const { values: options } = parseArgs({
  options: {
    host: { type: 'string', multiple: true, default: Object.keys(hosts) },
    'read-only': { type: 'boolean', default: false },
  },
})

installOnce(fileURLToPath(new URL('.', import.meta.url)), 'the hosts')
const results = []
for (const name of options.host) {
  const host = hosts[name]
  for (const run of corpus[name]) results.push(...(await settled(() => judgeReading(name, host, run))))
  if (options['read-only'] || !writtenDialects().includes(host.dialect)) continue
  for (const file of host.files) results.push(...(await settled(() => judgeWriting(name, host, file))))
}

const isWhole = options.host.length === Object.keys(hosts).length && !options['read-only']
if (isWhole) {
  const target = fileURLToPath(new URL('../docs/hosts.md', import.meta.url))
  writeFileSync(target, report(results))
}
const bad = results.filter(isBad)
process.stderr.write(`${results.length} cases, ${bad.length} of them wider or different\n`)
process.exitCode = bad.length === 0 ? 0 : 1

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
