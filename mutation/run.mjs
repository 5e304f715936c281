/**
 * `npm run mutate`: changes the sources of the modules that keep the promises, one small mistake at a time, and counts
 * the mistakes that their tests find. Writes docs/mutation.md.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installOnce } from '../scripts/install-once.mjs'
import { describeMutants, staleDeclarations } from './equivalents.mjs'
import { modules } from './modules.mjs'
import { isGoodEnough, page, summariesIn, summaryOf } from './report.mjs'

const { values: options } = parseArgs({
  options: {
    module: { type: 'string', multiple: true, default: Object.keys(modules) },
    concurrency: { type: 'string', default: '2' },
    /** Tests all mutants again, also those of unchanged code. */
    force: { type: 'boolean', default: false },
  },
})

const unknown = options.module.filter((name) => !Object.hasOwn(modules, name))
if (unknown.length > 0)
  throw new Error(`unknown module ${unknown.join(', ')}: ${Object.keys(modules).join(', ')}`)

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
installOnce('mutation/', 'Stryker')
const { Stryker } = await import('@stryker-mutator/core')

const work = '.toolbridge/mutation'
// Not in the work folder: whatever is in `.toolbridge` is a control file.
const temporaryFolder = tmpdir()
const target = 'docs/mutation.md'
const startedAt = performance.now()
const summaries = summariesIn(existsSync(target) ? readFileSync(target, 'utf8') : '')
for (const name of options.module) {
  process.stderr.write(`${name}\n`)
  const mutants = describeMutants(await mutantsOf(name, modules[name]))
  requireTests(name, modules[name])
  summaries.set(name, summaryOf(mutants))
  // After each module, so that a run that is stopped is not lost.
  writeFileSync(target, page(summaries))
  if (!tell(name, mutants)) process.exitCode = 1
}
tellTime()

/** With CPU time, so that the time on a busy machine says something, too. */
function tellTime() {
  const minutes = (performance.now() - startedAt) / 60_000
  const cpu = cpuMinutes()
  const used = cpu === undefined ? '' : `, ${cpu.toFixed(1)} minutes of CPU time`
  process.stderr.write(`${minutes.toFixed(1)} minutes${used}\n`)
}

/** CPU time of this process and its ended children. Undefined on systems other than Linux. */
function cpuMinutes() {
  if (!existsSync('/proc/self/stat')) return undefined
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return ticks / 100 / 60
}

/** Stryker ignores test files that it cannot load. */
function requireTests(name, { tests }) {
  const { testFiles } = JSON.parse(readFileSync(`${work}/${name}.json`, 'utf8'))
  const missing = tests.filter((file) => !Object.hasOwn(testFiles, file))
  if (missing.length > 0) throw new Error(`no test was run of ${missing.join(', ')}`)
}

/** Prints what is left to do for a module. Returns whether it is good enough. */
function tell(name, mutants) {
  for (const { file, line, from, to, status } of mutants.filter(needsAttention))
    process.stdout.write(`${file}:${line} ${status}: ${shortened(from)} → ${shortened(to)}\n`)
  const stale = staleDeclarations(mutants)
  for (const { file, code, from, to } of stale)
    process.stdout.write(`${file}: not equivalent, or gone: ${from} → ${to} in ${code}\n`)
  process.stderr.write(`${name}: ${JSON.stringify(summaries.get(name))}\n`)
  return stale.length === 0 && isGoodEnough(name, summaries.get(name))
}

/** Whether a mutant was not found, or only by the clock, which a busy machine may cause. */
function needsAttention({ status, statusReason, reason }) {
  if (status === 'Timeout') return !(statusReason ?? '').startsWith('Hit limit')
  return (status === 'Survived' && reason === undefined) || !['Survived', 'Killed'].includes(status)
}

function shortened(text) {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** Runs Stryker for one module. */
async function mutantsOf(name, { mutate, tests }) {
  const temporary = mkdtempSync(join(temporaryFolder, 'mutation-'))
  Object.assign(process.env, { MUTATION_TESTS: JSON.stringify(tests), TMPDIR: temporary })
  try {
    return await new Stryker({
      mutate: [...mutate],
      testRunner: 'vitest',
      vitest: { configFile: 'mutation/vitest.config.ts', related: false },
      plugins: ['@stryker-mutator/vitest-runner'],
      coverageAnalysis: 'perTest',
      concurrency: Number(options.concurrency),
      incremental: true,
      incrementalFile: `${work}/${name}.json`,
      force: options.force,
      tempDirName: `${work}/copies`,
      ignorePatterns: ['dist', '.toolbridge', 'bench', 'examples', 'hosts'],
      symlinkNodeModules: false,
      buildCommand: 'node mutation/link-packages.mjs',
      // Stryker reads the file with the API of TypeScript, which version 7 does not have; without the file it does not.
      tsconfigFile: 'mutation/tsconfig.none.json',
      reporters: ['progress-append-only'],
      logLevel: 'warn',
      allowConsoleColors: false,
      cleanTempDir: 'always',
      // A busy machine must not end a test: such a mutant would count as killed.
      timeoutMS: 20_000,
      timeoutFactor: 5,
    }).runMutationTest()
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
