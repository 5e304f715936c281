import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Tests import sources, but the programs they start (fixture servers, the command, the console) are built files, as for
 * users. Builds are incremental: without changes this takes a second.
 */
export default function build(): void {
  if (process.env['VITEST_SKIP_BUILD'] === '1') return
  const root = fileURLToPath(new URL('../..', import.meta.url))
  execFileSync('npm', ['run', 'build', '--silent'], {
    cwd: root,
    // vitest sets NODE_ENV to "test", which would create a development build of the console.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
