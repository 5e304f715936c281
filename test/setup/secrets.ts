import { appendFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lookAtAllEnds, lookInFiles, takeCounts, takeLeaks } from '@toolbridge/testkit/secrets'
import { afterAll, expect } from 'vitest'
import { takeStarted } from './no-programs.ts'
import { knownFiles } from './watchers.ts'

// Runs before each test file. A worker runs several files, so process-wide state is set for each of them.
const run = process.env['TOOLBRIDGE_TEST_RUN'] ?? tmpdir()
// Cached files are outside the folder of the run.
process.env['TOOLBRIDGE_TEST_CACHE'] ??= tmpdir()
const folder = mkdtempSync(join(run, 'file-'))
process.env['TMPDIR'] = folder

// Tests of other packages open no bridge in their process, so they do not load it.
if (/\/packages\/(agent|bridge|gateway)\/test\//.test(expect.getState().testPath ?? ''))
  await import('./watch-bridges.ts')

afterAll(async () => {
  await lookAtAllEnds()
  lookInFiles(folder, knownFiles)
  appendFileSync(join(run, 'looks.jsonl'), `${JSON.stringify(takeCounts())}\n`)
  expect(takeLeaks(), 'secrets that were let out in this file').toEqual([])
  expect(takeStarted(), 'quick tests that started a program').toEqual([])
})
