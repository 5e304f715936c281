import { appendFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  countCanaries,
  countLooks,
  type KnownFile,
  lookInFiles,
  takeLeaks,
  watchErrors,
  watchFiles,
  watchOutput,
  watchPrograms,
} from '@toolbridge/testkit/secrets'
import { afterAll, expect } from 'vitest'

/** Where secrets are kept by design, in files that nobody but their owner may read. Anywhere else they are leaks. */
const knownPlaces: readonly KnownFile[] = [
  {
    path: /\/tokens\/[\w-]{43}\/(?:tokens\.\d+\.json|draft\.\w+)$/,
    reason:
      'the store of a person who signs in on their own machine, as other programs there keep their tokens',
  },
  {
    path: /\/(?:clients|flows)\/(?:[\w-]{43}\.json|draft\.\w+)$/,
    reason: 'what such a person’s program got when it registered, and sign-ins that are under way',
  },
]

const run = process.env['TOOLBRIDGE_TEST_RUN'] ?? tmpdir()
// What is made once and kept stays where every run finds it.
process.env['TOOLBRIDGE_TEST_CACHE'] ??= tmpdir()
const folder = mkdtempSync(join(run, 'file-'))
process.env['TMPDIR'] = folder

watchFiles(knownPlaces)
watchErrors()
watchOutput()
watchPrograms()
// Other packages open no bridge in the process of the test, and need not load it.
if (/\/packages\/(bridge|gateway)\/test\//.test(expect.getState().testPath ?? '')) {
  const { watchBridges } = await import('../../packages/bridge/test/journal/canary/watch.ts')
  await watchBridges()
}

afterAll(() => {
  lookInFiles(folder, knownPlaces)
  const counts = { secrets: countCanaries(), ...countLooks() }
  appendFileSync(join(run, 'looks.jsonl'), `${JSON.stringify(counts)}\n`)
  expect(takeLeaks(), 'secrets that were let out in this file').toEqual([])
})
