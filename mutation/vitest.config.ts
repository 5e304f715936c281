import { defineConfig } from 'vitest/config'
import config from '../vitest.config.ts'

/** For the copy of the repository in which Stryker changes the sources; the tests are those of one module. */
export default defineConfig({
  ...config,
  test: {
    include: JSON.parse(process.env['MUTATION_TESTS'] ?? '[]'),
    testTimeout: 20_000,
    isolate: false,
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
