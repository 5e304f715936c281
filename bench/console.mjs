/** `npm run bench:console`: the console in a slowed-down Chromium, with more data than anybody has. */
import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { importSource } from '../scripts/import-source.mjs'
import { median } from './precision.mjs'

const usage = `usage: npm run bench:console -- [options]
  --rounds N       rounds; the median is shown. Default: 5
  --only TEXT      only the interactions whose title contains this
  --markdown FILE  write the results as a page too: docs/console-performance.md
`
const slowdown = 4

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    markdown: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (options.help) process.stdout.write(usage)
else await main()

async function main() {
  const { measureConsole } = await importSource(
    fileURLToPath(new URL('../packages/console/test/bench/measure.ts', import.meta.url)),
  )
  const rounds = await measureConsole({ rounds: Number(options.rounds), slowdown, only: options.only })
  const rows = rowsOf(rounds)
  process.stdout.write(`${markdownTable(rows)}\n`)
  if (options.markdown !== undefined) await writeFile(options.markdown, pageOf(rows, rounds.length))
  process.exit(rows.every(({ isMet }) => isMet) ? 0 : 1)
}

/**
 * @typedef {{ title: string, unit: string, value: number, target: number }} Sample
 * @typedef {{ title: string, measured: string, range: string, target: string, isMet: boolean }} Row
 *
 * @param {readonly (readonly Sample[])[]} rounds
 * @returns {Row[]}
 */
function rowsOf(rounds) {
  return (rounds[0] ?? []).map(({ title, unit, target }, index) => {
    const values = rounds.map((round) => round[index]?.value ?? 0)
    const value = median(values) ?? 0
    return {
      title,
      measured: `${value.toFixed(0)} ${unit}`,
      range: `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`,
      target: `≤ ${target} ${unit}`,
      isMet: value <= target,
    }
  })
}

/** @param {readonly Row[]} rows */
function markdownTable(rows) {
  const lines = rows.map(
    ({ title, measured, range, target, isMet }) =>
      `| ${title} | ${measured} | ${range} | ${target} | ${isMet ? 'met' : 'MISSED'} |`,
  )
  return ['|  | median | range | target |  |', '| --- | ---: | ---: | ---: | --- |', ...lines].join('\n')
}

/**
 * @param {readonly Row[]} rows
 * @param {number} rounds
 */
function pageOf(rows, rounds) {
  return `# Performance of the console

Written by \`npm run bench:console -- ${process.argv.slice(2).join(' ')}\` on ${new Date().toISOString().slice(0, 10)}; do not edit.

- ${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}; Node ${process.version}
- Chromium with a processor ${slowdown} times slower; ${rounds} rounds, each with a new browser
- a gateway with 40 servers, 5,000 tools, of which one has a hostile description of 1 MiB, and 10,000 calls in the activity

${markdownTable(rows)}

- **First load**: every script that the browser requests to show the start page of a person who is signed in.
- **Interactive**: the servers are shown, and no task of 50 ms or more follows within a second.
- **INP**: the longest time from a key or click to the next frame that shows its effect, as the browser reports it. It reports multiples
  of 8 ms.
`
}
