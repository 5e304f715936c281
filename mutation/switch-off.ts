/** Runs before each test file. Files are loaded without the mutant of the previous run in the same thread. */
import { inject } from 'vitest'

const provided = inject as (key: string) => unknown
const stryker = (globalThis as { __stryker__?: { activeMutant?: string | undefined } }).__stryker__
if (provided('mutantActivation') === 'runtime' && stryker !== undefined) stryker.activeMutant = undefined
