/** Runs the command line of the official suite: lists scenarios, and runs one with a strict verdict. */
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bundleRunner } from '../scripts/bundle-conformance.mjs'

/**
 * @typedef {{ scenario: string, revision: string }} Run
 * @typedef {{ id: string, status: string, errorMessage?: string, description?: string, details?: { message?: string } }} Check
 * @typedef {{ code: number | null, timedOut: boolean, output: string }} Exit
 * @typedef {{ run: Run, passed: boolean, successes: number, failures: number, warnings: number, reason: string, complaints: string[] }} Verdict
 */

export const revisions = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
/** The revision for scenarios without one. */
const defaultRevision = '2025-11-25'
const revisionsWithRequirements = ['2025-11-25', '2026-07-28']

// Timeouts only end hangs: a busy machine must not affect a verdict.
const clientTimeoutMs = 60_000
const runnerTimeoutMs = 90_000
const here = fileURLToPath(new URL('.', import.meta.url))
// On a timeout the runner ends only the shell: without `exec` the client would keep running with its pipes open.
const clientCommand = `exec node ${join(here, 'client.mjs')}`

/** The suite that determines the result. */
export const currentSuite = () => runnerOf('@modelcontextprotocol/conformance')

/** The last stable release, for information. */
export const oldSuite = () => runnerOf('conformance-0.1')

/** @param {string} packageName */
async function runnerOf(packageName) {
  const manifest = import.meta.resolve(`${packageName}/package.json`)
  const { version } = JSON.parse(await readFile(new URL(manifest), 'utf8'))
  return bundleRunner(fileURLToPath(new URL('dist/index.js', manifest)), version)
}

/**
 * Every client scenario at every revision it applies to, in the order of the suite.
 *
 * @param {string} runner
 * @returns {Promise<Run[]>}
 */
export async function listRuns(runner) {
  const [scenarios, ...required] = await Promise.all([
    listed(runner, []),
    ...revisionsWithRequirements.map((revision) => listed(runner, ['--requirements', revision])),
  ])
  return scenarios.flatMap(({ name, tags }) => {
    const applicable = revisions.filter((revision) => {
      const asExtension = required[revisionsWithRequirements.indexOf(revision)]
      return tags.includes(revision) || asExtension?.some((entry) => entry.name === name)
    })
    const chosen = applicable.length > 0 ? applicable : [defaultRevision]
    return chosen.map((revision) => ({ scenario: name, revision }))
  })
}

/**
 * The client scenarios that each revision requires, according to the suite.
 *
 * @param {string} runner
 * @returns {Promise<[revision: string, scenarios: readonly string[]][]>}
 */
export async function listRequired(runner) {
  return Promise.all(
    revisionsWithRequirements.map(async (revision) => {
      const text = await listing(runner, ['--requirements', revision])
      const [, section = ''] = /^Client scenarios.*\n((?: +- \S+\n)+)/m.exec(text) ?? []
      return [revision, [...section.matchAll(/- (\S+)/g)].map(([, name = '']) => name)]
    }),
  )
}

/**
 * The client scenarios of the last stable release, which has no revisions.
 *
 * @param {string} runner
 * @returns {Promise<Run[]>}
 */
export async function listOldRuns(runner) {
  const scenarios = await listed(runner, [])
  return scenarios.map(({ name }) => ({ scenario: name, revision: '0.1' }))
}

/**
 * @param {string} runner
 * @param {string[]} options
 */
async function listed(runner, options) {
  const text = await listing(runner, options)
  return [...text.matchAll(/^ +- (\S+) \[(.*)\]$/gm)].map(([, name = '', tags = '']) => ({
    name,
    tags: tags.split(','),
  }))
}

/**
 * @param {string} runner
 * @param {string[]} options
 */
async function listing(runner, options) {
  const program = [runner, 'list', '--client', ...options]
  const { stdout } = await promisify(execFile)(process.execPath, program)
  return stdout
}

/**
 * Runs one scenario. It fails on a non-zero exit code, a timeout, a warning, or without a successful check.
 *
 * @param {string} runner
 * @param {Run} run
 * @returns {Promise<Verdict>}
 */
export async function judge(runner, run) {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-conformance-'))
  try {
    const exit = await runRunner(runner, run, folder)
    const clientErrors = await readRecord(folder, 'stderr.txt', exit.output)
    return verdict(run, exit, JSON.parse(await readRecord(folder, 'checks.json', '[]')), clientErrors)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} runner
 * @param {Run} run
 * @param {string} folder
 * @returns {Promise<Exit>}
 */
function runRunner(runner, run, folder) {
  const atRevision = revisions.includes(run.revision) ? ['--spec-version', run.revision, '--force'] : []
  const scenario = ['--command', clientCommand, '--scenario', run.scenario, ...atRevision]
  const limits = ['--timeout', String(clientTimeoutMs), '-o', folder]
  // A separate process group, so that no process outlives the scenario.
  const child = spawn(process.execPath, [runner, 'client', ...scenario, ...limits], {
    detached: true,
  })
  const chunks = /** @type {Buffer[]} */ ([])
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  child.stderr.on('data', (chunk) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      endGroup(child.pid)
    }, runnerTimeoutMs)
    child.on('error', reject)
    child.on('exit', () => endGroup(child.pid))
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, timedOut, output: Buffer.concat(chunks).toString() })
    })
  })
}

/** @param {number | undefined} pid */
function endGroup(pid) {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {string} otherwise
 */
async function readRecord(folder, name, otherwise) {
  const files = await readdir(folder, { recursive: true })
  const record = files.find((file) => file.endsWith(name))
  return record === undefined ? otherwise : readFile(join(folder, record), 'utf8')
}

/**
 * @param {Run} run
 * @param {Exit} exit
 * @param {Check[]} checks
 * @param {string} clientErrors
 * @returns {Verdict}
 */
function verdict(run, exit, checks, clientErrors) {
  const count = (/** @type {string} */ status) => checks.filter((check) => check.status === status).length
  const [successes, failures, warnings] = [count('SUCCESS'), count('FAILURE'), count('WARNING')]
  const reason = whyFailed(exit, successes, failures, warnings)
  const complaints = reason === '' ? [] : [...checks.flatMap(complaint), ...firstLines(clientErrors)]
  return { run, passed: reason === '', successes, failures, warnings, reason, complaints }
}

/** @param {Check} check */
function complaint({ id, status, errorMessage, details, description }) {
  if (status !== 'FAILURE' && status !== 'WARNING') return []
  return [`${id}: ${errorMessage ?? details?.message ?? description ?? status}`]
}

/** @param {string} text */
function firstLines(text) {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 12)
}

/**
 * @param {Exit} exit
 * @param {number} successes
 * @param {number} failures
 * @param {number} warnings
 */
function whyFailed(exit, successes, failures, warnings) {
  if (exit.timedOut) return 'timed out'
  if (failures > 0) return `${failures} failed`
  if (warnings > 0) return `${warnings} warned`
  if (exit.code !== 0) return 'client failed'
  return successes === 0 ? 'nothing checked' : ''
}
