import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder for all files of the run, and prints at its end what was searched for secrets. */
export default function openRunFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'toolbridge-run-'))
  process.env['TOOLBRIDGE_TEST_RUN'] = folder
  return () => {
    const summary = summaryOf(join(folder, 'looks.jsonl'))
    if (summary !== undefined) process.stdout.write(`${summary}\n`)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Undefined if the tests had no secret. */
function summaryOf(file: string): string | undefined {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  const sums = new Map<string, number>()
  for (const counts of lines.map((line): Record<string, number> => JSON.parse(line)))
    for (const [what, count] of Object.entries(counts)) sums.set(what, (sums.get(what) ?? 0) + count)
  const { secrets = 0, ...others } = Object.fromEntries(sums)
  if (secrets === 0) return undefined
  const looks = Object.entries(others).map(([what, count]) => `${count} ${what}`)
  return `Searched ${looks.toSorted().join(', ')} of ${lines.length} test files for ${secrets} secrets.`
}
