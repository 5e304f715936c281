import { defineConfig } from 'vitest/config'
import config from '../vitest.config.ts'
import { keepThread } from './kept-thread.ts'

/**
 * For the copy of the repository in which Stryker changes the sources; the tests are those of one module. Without the
 * setup that watches tests for leaked secrets.
 */
export default defineConfig({
  ...config,
  plugins: [keepThread()],
  test: {
    include: JSON.parse(process.env['MUTATION_TESTS'] ?? '[]'),
    setupFiles: ['mutation/setup.ts'],
    // Only ends tests that a mutant makes hang. The tests take milliseconds.
    testTimeout: 20_000,
    isolate: false,
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
