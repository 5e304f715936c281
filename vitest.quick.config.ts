import { defineConfig } from 'vitest/config'
import { slowTests } from './test/setup/quick.ts'
import config from './vitest.config.ts'

export default defineConfig({
  ...config,
  test: {
    ...config.test,
    exclude: [...slowTests, '**/node_modules/**'],
    // Quick tests need no built files.
    globalSetup: ['test/setup/run-folder.ts'],
  },
})
