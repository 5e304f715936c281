import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ScriptedModel, scriptedModel } from '@toolbridge/testkit/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

/** Parses each text as a module, in one process: what Node complains about, by index. */
const parser = `
const { SourceTextModule } = require('node:vm')
const complaintAbout = (code) => {
  try {
    new SourceTextModule(code)
  } catch (error) {
    return String(error)
  }
}
const texts = JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))
process.stdout.write(JSON.stringify(texts.map((code) => complaintAbout(code) ?? null)))`

test('the code in every README is understood by Node as it stands', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'toolbridge-readme-')), 'examples.json')
  await writeFile(file, JSON.stringify([...examples.map(({ code }) => code), 'const broken: =']))
  const flags = ['--experimental-vm-modules', '--no-warnings']
  const { stdout } = await runFile(process.execPath, [...flags, '--eval', parser, file])
  const complaints: readonly (string | null)[] = JSON.parse(stdout)
  expect(complaints.at(-1)).toContain('SyntaxError')
  expect(examples.filter((_, index) => complaints[index] !== null).map(({ file }) => file)).toEqual([])
  expect(examples.length).toBeGreaterThan(5)
})

test('the code of the first page runs, and lists the tools of the sample servers', async () => {
  const [example] = examples.filter(({ file }) => file === 'README.md')
  const program = ['--input-type=module', '--eval', example?.code ?? '']
  const { stdout } = await runFile(process.execPath, program, { cwd: root, timeout: 600_000 })
  expect(stdout).toContain('hello__hello')
})

/** The commands of the first page with the output that is shown below each. */
const transcript = [...readText('README.md').matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(
  ([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => ({
        command: step.slice(0, step.indexOf('\n')),
        shown: step.slice(step.indexOf('\n') + 1),
      })),
)
const [, preparation = ''] = /^```sh\n(alias toolbridge=[\s\S]*?)^```$/m.exec(readText('README.md')) ?? []

/** `…` stands for any text of a line, and alone on a line for any lines. */
function pattern(shown: string): RegExp {
  const literal = shown.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const lines = literal.replaceAll(/^ *…\n/gm, '(?:.*\n)*?')
  return new RegExp(`^${lines.replaceAll('…', '.*')}$`)
}

/** A model that greets whom it was told to greet. */
let model: ScriptedModel
beforeAll(async () => {
  const call = { tool: 'hello__hello', input: { name: 'Ada' } }
  model = await scriptedModel({
    shape: 'compatible',
    turns: ({ results: [greeting] }) => (greeting === undefined ? { calls: [call] } : { text: greeting }),
  })
})
afterAll(() => model[Symbol.asyncDispose]())

test.for(transcript)('the first page shows what $command prints', async ({ command, shown }, { expect }) => {
  const home = await mkdtemp(join(tmpdir(), 'toolbridge-readme-'))
  // An alias applies from the next line on.
  const script = `shopt -s expand_aliases\n${preparation}\n${command.replace('http://127.0.0.1:11434/v1', model.baseUrl)} 2>&1`
  const env = { PATH: process.env['PATH'] ?? '', HOME: home }
  const run = runFile('bash', ['-c', script], { cwd: root, env, timeout: 60_000 })
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error)
  expect(stdout).toMatch(pattern(shown))
})

test('the first page has commands to try', () => {
  expect(transcript.length).toBeGreaterThan(3)
})
