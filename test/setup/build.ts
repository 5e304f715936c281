import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Tests import sources, but the programs they start (fixture servers, the command, the console's page) are what a user
 * gets: built files. Building is incremental, so this costs a second when nothing changed.
 */
export default function build(): void {
  if (process.env['VITEST_SKIP_BUILD'] === '1') return
  const root = fileURLToPath(new URL('../..', import.meta.url))
  execFileSync('npm', ['run', 'build', '--silent'], {
    cwd: root,
    // vitest calls its own environment "test", which would give the page a development build.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
