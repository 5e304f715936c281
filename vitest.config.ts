import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/setup/longest-first.ts'

// Without vite's default `module`: workers pass the conditions on to Node, which cannot load some of the files that packages
// export under it for bundlers.
const conditions = ['@toolbridge/source', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@toolbridge/source'] } },
  test: {
    include: ['packages/*/test/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    globalSetup: ['test/setup/build.ts', 'test/setup/ai-sdk-7.ts', 'test/setup/run-folder.ts'],
    setupFiles: ['test/setup/secrets.ts'],
    // The code that watches tests for leaked secrets wraps what they call; a failure is never there.
    onStackTrace: (_error, { file }) => !file.includes('/testkit/src/secrets/'),
    // These limits only end tests that hang; a busy machine must not fail one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    pool: 'forks',
    // Most code of a test runs briefly: optimizing it costs more than it saves. The first flag is for the code of PGlite, the
    // second for scripts.
    execArgv: ['--liftoff-only', '--interrupt-budget=1000000'],
    // Keeps transformed files between runs; `npx vitest --clearCache` removes them.
    experimental: { fsModuleCache: true },
    // The product has no mutable module state, so a worker loads it once for all files that it runs.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    unstubEnvs: true,
    unstubGlobals: true,
    // More than cores: many tests wait for processes.
    maxWorkers: 3,
  },
})
