import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { provider } from '../servers/provider.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const page = readFileSync(new URL('../../../../docs/models.md', import.meta.url), 'utf8')

/** What the page takes for granted: a bridge with one server. */
const withBridge = `
import { localAuthority, openBridge, readConfig } from '@toolbridge/bridge'
const entry = { command: process.execPath, args: ['packages/testkit/dist/servers/hello.js'] }
const { servers } = readConfig(JSON.stringify({ mcpServers: { hello: entry } }), { file: 'mcp.json' })
const bridge = await openBridge({ servers, authority: localAuthority(), permissions: { mode: 'allow' } })
`

/** What its section about the AI SDK takes for granted as well: a model that does as it is told. */
const withModel = `${withBridge}
import { MockLanguageModelV3 } from 'ai/test'
const total = { total: 1 }
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const read = prompt.at(-1).role === 'tool' ? prompt.at(-1).content[0].output.value : undefined
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'hello__hello', input: '{"name":"Ada"}' }
    return {
      content: [read === undefined ? call : { type: 'text', text: read }],
      finishReason: { unified: read === undefined ? 'tool-calls' : 'stop' },
      usage: { inputTokens: total, outputTokens: total },
      warnings: [],
    }
  },
})
`

async function run(
  heading: string,
  env: Readonly<Record<string, string>> = {},
  before = withBridge,
): Promise<string> {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(section) ?? []
  const program = `${before}\n${code}\nawait bridge.close()`
  const options = { cwd: root, timeout: 60_000, env: { PATH: process.env['PATH'], ...env } }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program],
    options,
  )
  return stdout
}

const name = 'hello__hello'

test('the example for OpenAI runs', async () => {
  const call = { type: 'function_call', id: 'f', call_id: 'c', name, arguments: '{"name":"Ada"}' }
  await using api = await provider(({ body }, turn) => {
    const read = JSON.stringify(body['input']).includes('Hello, Ada!') ? 'read it' : 'read nothing'
    const said = {
      type: 'message',
      id: 'm',
      role: 'assistant',
      content: [{ type: 'output_text', text: read }],
    }
    return { json: { id: 'r', object: 'response', output: [turn === 0 ? call : said] } }
  })
  expect(await run('OpenAI', { OPENAI_API_KEY: canary('api-key'), OPENAI_BASE_URL: api.url })).toBe(
    'read it\n',
  )
})

test('the example for Anthropic runs', async () => {
  const call = { type: 'tool_use', id: 't', name, input: { name: 'Ada' } }
  await using api = await provider(({ body }, turn) => {
    const read = JSON.stringify(body['messages']).includes('Hello, Ada!') ? 'read it' : 'read nothing'
    const content = [turn === 0 ? call : { type: 'text', text: read }]
    return { json: { id: 'm', type: 'message', role: 'assistant', content } }
  })
  const shown = await run('Anthropic', { ANTHROPIC_API_KEY: canary('api-key'), ANTHROPIC_BASE_URL: api.url })
  expect(shown).toBe("[ { type: 'text', text: 'read it' } ]\n")
})

test('the example for Google runs', async () => {
  await using api = await provider(({ body }, turn) => {
    const read = JSON.stringify(body['contents']).includes('Hello, Ada!') ? 'read it' : 'read nothing'
    const part = turn === 0 ? { functionCall: { id: 'f', name, args: { name: 'Ada' } } } : { text: read }
    return { json: { candidates: [{ content: { role: 'model', parts: [part] } }] } }
  })
  expect(await run('Google', { GEMINI_API_KEY: canary('api-key'), GOOGLE_GEMINI_BASE_URL: api.url })).toBe(
    'read it\n',
  )
})

test('the examples for the AI SDK and for a loop of your own run [S4-130]', async () => {
  expect(await run('AI SDK', {}, withModel)).toBe('Hello, Ada!\n')
  expect(await run('Other agent loops')).toBe("[ 'hello__hello', 'hello__repeat' ]\nHello, Ada!\n")
})
