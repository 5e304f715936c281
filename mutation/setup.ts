/** Runs before each test file. Files are loaded without the mutant of the previous run in the same thread. */
import fc from 'fast-check'
import { inject } from 'vitest'

// The first input that fails kills a mutant, and the same inputs are tried in every run.
fc.configureGlobal({ numRuns: 30, seed: 1, endOnFailure: true })

const provided = inject as (key: string) => unknown
const stryker = (globalThis as { __stryker__?: { activeMutant?: string | undefined } }).__stryker__
if (provided('mutantActivation') === 'runtime' && stryker !== undefined) stryker.activeMutant = undefined
