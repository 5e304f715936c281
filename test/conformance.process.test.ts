import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from './house/repository.ts'

test('the client passes every scenario of the official suite at its newest revision [C37]', async () => {
  const program = [join(root, 'conformance/run.mjs'), '--newest', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, program, { maxBuffer: 64 * 1024 * 1024 })
  const verdicts: readonly { readonly passed: boolean; readonly run: object }[] = JSON.parse(stdout)
  expect(verdicts.filter(({ passed }) => !passed).map(({ run }) => run)).toEqual([])
  expect(verdicts).toHaveLength(48)
})
