import { declarations } from './equivalents.mjs'
import { modules } from './modules.mjs'

/** Lowest share of mutants that the tests of a module find, and highest share that may be declared equivalent, in %. */
const minScore = 80
const maxEquivalent = 5

const columns = [
  'module',
  'mutants',
  'killed',
  'of these by timeout',
  'survived',
  'not covered',
  'equivalent',
  'score',
]

/** Counts the mutants of a module. Mutants that fail before a test runs are not counted. */
export function summaryOf(mutants) {
  const count = (test) => mutants.filter(test).length
  const timeouts = count(({ status }) => status === 'Timeout')
  const killed = timeouts + count(({ status }) => status === 'Killed')
  const equivalent = count(({ status, reason }) => status === 'Survived' && reason !== undefined)
  const survived = count(({ status, reason }) => status === 'Survived' && reason === undefined)
  const uncovered = count(({ status }) => status === 'NoCoverage')
  return {
    mutants: killed + survived + uncovered + equivalent,
    killed,
    timeouts,
    survived,
    uncovered,
    equivalent,
  }
}

/** The share of mutants killed, of those that are not equivalent, in %. */
function scoreOf({ mutants, killed, equivalent }) {
  return (100 * killed) / (mutants - equivalent)
}

/** Whether a module reaches its goals, which the page names. */
export function isGoodEnough(name, summary) {
  const { least = minScore } = modules[name]
  return scoreOf(summary) >= least && summary.equivalent <= (maxEquivalent / 100) * summary.mutants
}

/** The summaries of an earlier page, so that a run of one module keeps those of the others. */
export function summariesIn(text) {
  const rows = [...text.matchAll(/^\| ([a-z-]+) +\|((?: +\d+ +\|)+)/gm)]
  return new Map(
    rows.map(([, name, cells]) => {
      const [mutants, killed, timeouts, survived, uncovered, equivalent] = cells.match(/\d+/g).map(Number)
      return [name, { mutants, killed, timeouts, survived, uncovered, equivalent }]
    }),
  )
}

/** The text of docs/mutation.md. */
export function page(summaries) {
  return `${[heading(), table(summaries), ...unmeasured(summaries), contents(), equivalents()].join('\n\n')}\n`
}

/** The modules that read what others write have a higher goal. */
const strictScore = 90

function strict() {
  return Object.keys(modules).filter((name) => modules[name].least === strictScore)
}

function heading() {
  return `# Mutation tests

Written by \`npm run mutate\`. Do not edit.

[Stryker](https://stryker-mutator.io) makes one small mistake in a source file, a mutant, and runs the tests that reach it. A mutant that
fails a test is killed; one that survives is a mistake that nobody would notice. The modules are those that keep the promises: what may be
called, who is asked, what is shown, what may be reached and read.

The command fails if less than ${minScore} % of a module's mutants are killed (${strict().join(', ')}: ${strictScore} %), or if more than ${maxEquivalent} % are declared equivalent.
Each row is the last run of its module. A timeout is a loop that runs at least a hundred times as often as without the mutant, or a run of
more than 20 seconds; the tests of a mutant take milliseconds. Mutants in code that runs only while a module is loaded are tried with all tests of the module.`
}

function table(summaries) {
  const rows = Object.keys(modules).flatMap((name) => {
    const summary = summaries.get(name)
    if (summary === undefined) return []
    const { mutants, killed, timeouts, survived, uncovered, equivalent } = summary
    return [
      [name, mutants, killed, timeouts, survived, uncovered, equivalent, `${scoreOf(summary).toFixed(1)} %`],
    ]
  })
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Says which modules the table says nothing about. */
function unmeasured(summaries) {
  const names = Object.keys(modules).filter((name) => !summaries.has(name))
  return names.length === 0 ? [] : [`**Not measured yet:** ${names.join(', ')}.`]
}

function contents() {
  const lines = Object.entries(modules).map(
    ([name, { mutate, tests }]) => `- **${name}**: ${code(mutate)}, tested by ${code(tests)}`,
  )
  return `## Modules\n\n${lines.join('\n')}`
}

function code(globs) {
  return globs.map((glob) => `\`${glob}\``).join(', ')
}

/** Mutants of the same reason are one item. */
function equivalents() {
  const groups = new Map()
  for (const declared of declarations) {
    const key = `${declared.file}\n${declared.reason}`
    groups.set(key, [...(groups.get(key) ?? []), declared])
  }
  const items = [...groups.values()].map((group) => {
    const [{ file, reason }] = group
    const changes = group.map(
      ({ code: line, from, to }) => `\n  - ${quoted(from)} → ${quoted(to)} in ${quoted(line)}`,
    )
    return `- \`${file}\`: ${reason}${changes.join('')}`
  })
  const intro =
    'Mutants that no test can find, because the program behaves the same. They are declared in `mutation/equivalents.json`.'
  return `## Equivalent mutants\n\n${[intro, items.length === 0 ? 'None.' : items.join('\n')].join('\n\n')}`
}

function quoted(text) {
  const fence = text.includes('`') ? '``' : '`'
  const space = fence === '``' ? ' ' : ''
  return text === '' ? 'nothing' : `${fence}${space}${text}${space}${fence}`
}
