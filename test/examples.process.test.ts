import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readText, repositoryFiles, root } from './house/repository.ts'

const useAiSdk7 = new URL('../packages/bridge/test/ai-sdk-7/use.mjs', import.meta.url).href
const programs = repositoryFiles(/^examples\/.*\.mjs$/)

test('there are five example programs of at most 60 lines, and the first page names each', () => {
  expect(programs).toHaveLength(5)
  expect(programs.filter((file) => readText(file).trimEnd().split('\n').length > 60)).toEqual([])
  expect(programs.filter((file) => !readText('README.md').includes(`(${file})`))).toEqual([])
})

test.each(programs)('%s checks its own results and ends by itself [S4-131]', async (file) => {
  await checksItself(file)
})

test('the program for the AI SDK also runs with version 7', async () => {
  await checksItself('examples/ai-sdk-agent/main.mjs', '--import', useAiSdk7)
})

async function checksItself(file: string, ...flags: readonly string[]): Promise<void> {
  // From another folder: a program does not depend on where it is started.
  const options = { cwd: tmpdir(), timeout: 600_000 }
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...flags, join(root, file)],
    options,
  )
  expect({ said: stdout !== '', stderr }).toEqual({ said: true, stderr: '' })
}
