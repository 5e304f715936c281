import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'

test('docs/dialects.md is what the tables say', () => {
  const root = fileURLToPath(new URL('../../../../..', import.meta.url))
  // Throws when it is not; what to do then is on stderr.
  execFileSync(process.execPath, ['scripts/generate-dialects.mjs', '--check'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
})
