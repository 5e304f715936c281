/** Lets a host start Toolbridge by the entry that `toolbridge connect` writes, with a stub server behind it. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { environmentOf, runHost } from './run-host.mjs'
import { toolNames } from './stub-answers.mjs'

const toolbridge = fileURLToPath(new URL('../packages/cli/dist/main.cjs', import.meta.url))

/** Name of the entry that `toolbridge connect` writes. */
const entry = 'toolbridge'

/** Label of the stub server behind Toolbridge. */
const label = 'behind'

const served = 'toolbridge/mcp.json'
const servedText = JSON.stringify({ mcpServers: { stub: { command: '@NODE@', args: ['@STUB@', label] } } })

/** The requests that must arrive at the server behind Toolbridge. */
const requiredMethods = ['initialize', 'tools/list']

/**
 * Runs a host with the entry in one of its files: once with a prompt to the model, and once to list its servers if it
 * connects to them for that.
 *
 * `same`: the required requests arrive, all tools are offered, and the host shows that it is connected.
 */
export async function judgeConnection(name, host, file) {
  const prompted = await runConnected(host, file, (run) => host.start({ ...run, required: entry }))
  const listed = host.list === undefined ? undefined : await runConnected(host, file, host.list)
  const received = requiredMethods.filter((method) => prompted.methods(label).includes(method))
  const offered = prompted.tools(label)
  const shown = listed && shownStatus(listed)
  const problems = [
    ...requiredMethods.filter((method) => !received.includes(method)).map((method) => `no ${method} arrived`),
    ...toolNames.filter((tool) => !offered.includes(tool)).map((tool) => `lacks ${tool}`),
    ...(shown === undefined || isFine(shown, file) ? [] : [`shows ${shown}`]),
  ]
  const outcome = problems.length === 0 ? 'same' : 'different'
  const detail = problems.join('; ')
  return { host: name, direction: 'connect', file, row: '', received, offered, shown, outcome, detail }
}

/** A person has to approve the servers of a project in some hosts, which a prompt without a terminal does not wait for. */
function isFine(shown, file) {
  return shown === 'connected' || (shown === 'pending' && file.startsWith('project/'))
}

async function runConnected(host, file, start) {
  const { found } = await runHost({ ...host, start }, () => ({
    files: { [served]: servedText },
    expect: (run) => connect(host, file, run),
  }))
  return found
}

/** Runs `toolbridge connect` as a user of the host would. */
function connect({ dialect }, file, run) {
  const scope = file.startsWith('project/') ? ['--project'] : []
  const target = ['--mcp', join(run.folder, served), '--data', join(run.folder, 'toolbridge/data')]
  const { status, stderr } = spawnSync(
    process.execPath,
    [toolbridge, 'connect', dialect, ...scope, ...target, '--yes'],
    { cwd: run.project, env: environmentOf(run), encoding: 'utf8' },
  )
  if (status !== 0 || !existsSync(join(run.folder, file)))
    throw new Error(`toolbridge connect ${dialect} did not write ${file}:\n${stderr}`)
}

/** What a host's list of servers says about the entry. */
function shownStatus({ output }) {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => line.includes(entry))
  const [word = 'nothing'] =
    /\b(?:connected|disconnected|failed|pending|disabled)\b/i.exec(lines.join('\n')) ?? []
  return word.toLowerCase()
}
