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
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes when it comes: a busy machine must not decide a test.
    expect: { poll: { timeout: 15_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
})
