import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readText, repositoryFiles, root } from './house/repository.ts'

const runFile = promisify(execFile)

interface Example {
  readonly file: string
  readonly code: string
}

/** The code of every README that is JavaScript as it stands. */
const examples: readonly Example[] = repositoryFiles(/^(?:packages\/[a-z]+\/)?README\.md$/).flatMap((file) =>
  [...readText(file).matchAll(/^```(?:ts|js)\n([\s\S]*?)^```$/gm)].map(([, code = '']) => ({ file, code })),
)

test.each(examples)('the code in $file is understood by Node as it stands', async ({ code }) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-readme-'))
  try {
    await writeFile(join(folder, 'example.mjs'), code)
    await runFile(process.execPath, ['--check', join(folder, 'example.mjs')])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the code of the first page runs, and lists the tools of the sample servers', async () => {
  const [example] = examples.filter(({ file }) => file === 'README.md')
  const program = ['--input-type=module', '--eval', example?.code ?? '']
  const { stdout } = await runFile(process.execPath, program, { cwd: root, timeout: 60_000 })
  expect(stdout).toContain('hello__hello')
})
