import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readText, root } from './house/repository.ts'

test('docs/requirements.md is what scripts/generate-requirements.mjs makes of the titles', () => {
  expect(readText('docs/requirements.md')).toContain('Requirements and their tests')
  execFileSync(process.execPath, ['scripts/generate-requirements.mjs', '--check'], {
    cwd: root,
    stdio: 'pipe',
  })
})
