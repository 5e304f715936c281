import { scriptedModel } from '@toolbridge/testkit/models'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { useFolder } from '../folders.ts'
import { runInProcess } from '../in-process.ts'
import { modelOptions } from './with-model.ts'

const folder = useFolder()

test.each([
  [401, 'Check the key'],
  [400, '400'],
  [404, '404'],
  [429, '429'],
  [503, '503'],
])(
  'a refusal of the provider with %i is one line, without the key, and exit status 3',
  async (status, said) => {
    const key = canary('model-key')
    await using model = await scriptedModel({
      shape: 'openai',
      turns: () => ({ status, message: `the key ${key} \u001b[31mis wrong\nat line 2` }),
    })
    for (const format of ['text', 'json']) {
      const finished = await runInProcess(
        ['ask', 'Go.', '--format', format, '--model', model.name, '--base-url', model.baseUrl],
        { cwd: folder.path, env: { HOME: folder.path, OPENAI_API_KEY: key } },
      )
      expect(finished).toMatchObject({ code: 3, stdout: '' })
      expect(finished.stderr).toMatch(/^toolbridge: [^\n]*openai\/scripted[^\n]*\n$/)
      expect(finished.stderr).toContain(said)
      expect(finished.stderr).not.toContain(key)
      expect(finished.stderr).not.toMatch(/[^\P{C}\n]|\bat .*\.[jt]s/u)
    }
  },
)

test('a connection that is lost in the middle is an error, after a whole line of what arrived', async () => {
  await using model = await scriptedModel({
    shape: 'compatible',
    turns: () => ({ text: 'It is not finished', cut: true }),
  })
  const finished = await runInProcess(['ask', 'Go.', '--stream', ...modelOptions(model)], {
    cwd: folder.path,
    env: { HOME: folder.path },
  })
  expect(finished).toMatchObject({ code: 3, stdout: 'It is not finished\n' })
  expect(finished.stderr).toMatch(/^toolbridge: [^\n]*compatible\/scripted[^\n]*\n$/)
})
