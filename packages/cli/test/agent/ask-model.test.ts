import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { scriptedModel } from '@toolbridge/testkit/models'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { put, useFolder } from '../folders.ts'
import { runInProcess } from '../in-process.ts'
import type { Finished } from '../transcript.ts'

const folder = useFolder()
const started = (): boolean => existsSync(join(folder.path, 'started'))

/** Runs a command with a server that leaves a file when it is started. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  const program = `require('node:fs').writeFileSync('started', '')`
  const recording = { command: process.execPath, args: ['-e', program], cwd: folder.path }
  const file = put(folder.path, 'mcp.json', { mcpServers: { recording } })
  return runInProcess([...args, '--mcp', file], { cwd: folder.path, env: { HOME: folder.path, ...env } })
}

test.each(['ask', 'agent'])(
  '%s without a model names the option and the variable, and starts no server',
  async (command) => {
    for (const env of [{}, { TOOLBRIDGE_MODEL: '' }])
      expect(await run([command, 'Go.'], env)).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'toolbridge: missing model. Use --model <provider/model>, such as openai/gpt-5 or compatible/llama3.2, or set TOOLBRIDGE_MODEL\n',
      })
    expect(started()).toBe(false)
  },
)

test.each([
  ['openai/m', 'OPENAI_API_KEY'],
  ['anthropic/m', 'ANTHROPIC_API_KEY'],
  ['google/m', 'GEMINI_API_KEY'],
  ['mistral/m', 'MISTRAL_API_KEY'],
  ['xai/m', 'XAI_API_KEY'],
  ['compatible/m', 'use --base-url or set the environment variable OPENAI_COMPATIBLE_BASE_URL'],
  ['opnai/m', 'did you mean "openai"?'],
  ['openai', 'openai/<model>'],
])('%s without what it needs names %s, and starts no server', async (model, said) => {
  const finished = await run(['ask', 'Go.'], { TOOLBRIDGE_MODEL: model })
  expect(finished).toMatchObject({ code: 2, stdout: '' })
  expect(finished.stderr).toMatch(/^toolbridge: [^\n]+\n$/)
  expect(finished.stderr).toContain(said)
  expect(started()).toBe(false)
})

test('a misspelled --model is recognized, although --mode is as near', async () => {
  expect((await run(['ask', 'Go.', '--modle', 'x/y'])).stderr).toContain('Did you mean "--model"?')
})

test('the model of the variable is used, unless the option names another', async () => {
  await using model = await scriptedModel({ shape: 'compatible', turns: () => ({ text: 'Done.' }) })
  const env = { TOOLBRIDGE_MODEL: model.name, HOME: folder.path, ...model.env }
  const options = { cwd: folder.path, env }
  expect(await runInProcess(['ask', 'Go.'], options)).toEqual({ code: 0, stdout: 'Done.\n', stderr: '' })
  await runInProcess(['ask', 'Go.', '-m', 'compatible/other'], options)
  expect(model.requests.map(({ body }) => body['model'])).toEqual(['scripted', 'other'])
})

test('the .env of a project names no model, no key and no address', async () => {
  await using model = await scriptedModel({ shape: 'openai', turns: () => ({ text: 'Redirected.' }) })
  const { OPENAI_API_KEY: key = '', OPENAI_BASE_URL: address = '' } = model.env
  put(
    folder.path,
    '.env',
    `TOOLBRIDGE_MODEL=${model.name}\nOPENAI_API_KEY=${key}\nOPENAI_BASE_URL=${address}\n`,
  )
  expect((await run(['ask', 'Go.'])).stderr).toContain('missing model')
  expect((await run(['ask', 'Go.', '--model', model.name])).stderr).toContain('OPENAI_API_KEY')
  // A key of the user goes to the address of the user, not to that of the project.
  await using mine = await scriptedModel({ shape: 'openai', turns: () => ({ text: 'Mine.' }) })
  const options = ['--model', 'openai/m', '--base-url', mine.baseUrl]
  const finished = await runInProcess(['ask', 'Go.', ...options], {
    cwd: folder.path,
    env: { HOME: folder.path, OPENAI_API_KEY: canary('model-key') },
  })
  expect(finished).toEqual({ code: 0, stdout: 'Mine.\n', stderr: '' })
  expect(model.requests).toEqual([])
})
