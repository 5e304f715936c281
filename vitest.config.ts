import { defineConfig } from 'vitest/config'

// Not `module`: the workers hand these on to Node, which cannot load what some packages keep there for bundlers.
const conditions = ['@toolbridge/source', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@toolbridge/source'] } },
  test: {
    include: ['packages/*/test/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    globalSetup: ['test/setup/build.ts', 'test/setup/run-folder.ts'],
    setupFiles: ['test/setup/secrets.ts'],
    // Whoever looks over the shoulder of a test is not where it failed.
    onStackTrace: (_error, { file }) => !file.includes('/testkit/src/secrets/'),
    // These limits only end tests that hang; a busy machine must not fail one.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // The product has no mutable module state, so a worker loads it once for all files that it runs.
    isolate: false,
    unstubEnvs: true,
    unstubGlobals: true,
    maxWorkers: 2,
  },
})
