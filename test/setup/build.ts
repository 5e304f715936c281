import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const builtPrograms = ['packages/testkit/dist/servers/hello.js', 'packages/cli/dist/main.cjs']

/**
 * Tests import sources, but the programs they start (fixture servers, the command, the console) are built files, as for
 * users. Without changes this takes less than a second.
 */
export default function build(): (() => void) | undefined {
  if (process.env['VITEST_SKIP_BUILD'] === '1') return warnIfNotBuilt()
  execFileSync(process.execPath, ['scripts/build.mjs'], {
    cwd: root,
    // vitest sets NODE_ENV to "test", which would create a development build of the console.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** Warns before the run and, because failures scroll the first warning away, after it. */
function warnIfNotBuilt(): (() => void) | undefined {
  const missing = builtPrograms.filter((file) => !existsSync(root + file))
  if (missing.length === 0) return undefined
  const warn = (): void => {
    process.stderr.write(`\nNot built: ${missing.join(', ')}. Process tests fail without: npm run build\n`)
  }
  warn()
  return warn
}
