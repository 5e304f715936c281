/** Runs the command line of the official suite: lists scenarios, and runs one with a strict verdict. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleSuite } from '../scripts/bundle-conformance.mjs'

/**
 * @typedef {{ scenario: string, revision: string }} Run
 * @typedef {{ id: string, status: string, errorMessage?: string, description?: string, details?: { message?: string } }} Check
 * @typedef {import('./runner.mjs').Runner} Runner
 * @typedef {import('./runner.mjs').Exit} Exit
 * @typedef {{ run: Run, passed: boolean, successes: number, failures: number, warnings: number, reason: string, complaints: string[] }} Verdict
 */

export const revisions = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
/** The revision for scenarios without one. */
const defaultRevision = '2025-11-25'
const revisionsWithRequirements = ['2025-11-25', '2026-07-28']

// Timeouts only end hangs: a busy machine must not affect a verdict.
const clientTimeoutMs = 60_000

/** The path of the suite that determines the result. */
export const currentSuite = () => bundleOf('@modelcontextprotocol/conformance')

/** The path of the last stable release, for information. */
export const oldSuite = () => bundleOf('conformance-0.1')

/** @param {string} packageName */
async function bundleOf(packageName) {
  const manifest = import.meta.resolve(`${packageName}/package.json`)
  const { version } = JSON.parse(await readFile(new URL(manifest), 'utf8'))
  return bundleSuite(fileURLToPath(new URL('dist/index.js', manifest)), version)
}

/**
 * Every client scenario at every revision it applies to, in the order of the suite.
 *
 * @param {Runner} runner
 * @returns {Promise<Run[]>}
 */
export async function listRuns(runner) {
  const scenarios = await listed(runner, [])
  const required = []
  for (const revision of revisionsWithRequirements)
    required.push(await listed(runner, ['--requirements', revision]))
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
 * @param {Runner} runner
 * @returns {Promise<[revision: string, scenarios: readonly string[]][]>}
 */
export async function listRequired(runner) {
  const required = /** @type {[string, readonly string[]][]} */ ([])
  for (const revision of revisionsWithRequirements) {
    const text = await listing(runner, ['--requirements', revision])
    const [, section = ''] = /^Client scenarios.*\n((?: +- \S+\n)+)/m.exec(text) ?? []
    required.push([revision, [...section.matchAll(/- (\S+)/g)].map(([, name = '']) => name)])
  }
  return required
}

/**
 * The client scenarios of the last stable release, which has no revisions.
 *
 * @param {Runner} runner
 * @returns {Promise<Run[]>}
 */
export async function listOldRuns(runner) {
  const scenarios = await listed(runner, [])
  return scenarios.map(({ name }) => ({ scenario: name, revision: '0.1' }))
}

/**
 * @param {Runner} runner
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
 * @param {Runner} runner
 * @param {string[]} options
 */
async function listing(runner, options) {
  const { stdout } = await runner.run(['list', '--client', ...options])
  return stdout
}

/**
 * Runs one scenario. It fails on a non-zero exit code, a timeout, a warning, or without a successful check.
 *
 * @param {Runner} runner
 * @param {Run} run
 * @returns {Promise<Verdict>}
 */
export async function judge(runner, run) {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-conformance-'))
  try {
    const exit = await runner.run(commandLineOf(run, folder, runner.clientCommand), run.scenario)
    const clientErrors = await readRecord(folder, 'stderr.txt', exit.output)
    return verdict(run, exit, JSON.parse(await readRecord(folder, 'checks.json', '[]')), clientErrors)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * @param {Run} run
 * @param {string} folder
 * @param {string} clientCommand
 */
function commandLineOf(run, folder, clientCommand) {
  const atRevision = revisions.includes(run.revision) ? ['--spec-version', run.revision, '--force'] : []
  const scenario = ['--command', clientCommand, '--scenario', run.scenario, ...atRevision]
  return ['client', ...scenario, '--timeout', String(clientTimeoutMs), '-o', folder]
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
