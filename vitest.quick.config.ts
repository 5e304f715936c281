import { mergeConfig } from 'vitest/config'
import { slowTests } from './test/setup/quick.ts'
import config from './vitest.config.ts'

const quick = mergeConfig(config, { test: { exclude: [...slowTests, '**/node_modules/**'] } })
// Quick tests need no built files.
quick.test.globalSetup = ['test/setup/run-folder.ts']

export default quick
