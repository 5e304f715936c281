import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { canary } from '@toolbridge/testkit/secrets'
import { beforeAll, expect, test } from 'vitest'
import { provider } from '@toolbridge/testkit/models'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const page = readFileSync(new URL('../../../../docs/models.md', import.meta.url), 'utf8')

/** What the page takes for granted: a bridge with one server and, for the AI SDK, a model that does as it is told. */
const before = `
import { localAuthority, openBridge, readConfig } from '@toolbridge/bridge'
import { MockLanguageModelV3 } from 'ai/test'
const entry = { command: process.execPath, args: ['packages/testkit/dist/servers/hello.js'] }
const { servers } = readConfig(JSON.stringify({ mcpServers: { hello: entry } }), { file: 'mcp.json' })
const bridge = await openBridge({ servers, authority: localAuthority(), permissions: { mode: 'allow' } })
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

const headings = [
  'OpenAI',
  'Anthropic',
  'Google',
  'AI SDK',
  'Other agent loops',
  'Code that calls tools',
] as const

/** The example of a section: its imports, and its other lines in a block with their heading as output. */
function exampleOf(heading: string): { readonly imports: string; readonly block: string } {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(section) ?? []
  const lines = code.split('\n')
  const isImport = (line: string): boolean => line.startsWith('import ')
  return {
    imports: lines.filter(isImport).join('\n'),
    block: `console.log('## ${heading}')\n{${lines.filter((line) => !isImport(line)).join('\n')}}`,
  }
}

/** Runs all examples as one program, and returns what each one prints. */
async function runAll(env: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>> {
  const examples = headings.map(exampleOf)
  const imports = examples.map((example) => example.imports)
  const blocks = examples.map(({ block }) => block)
  const program = [before, ...imports, ...blocks, 'await bridge.close()'].join('\n')
  const options = { cwd: root, timeout: 600_000, env: { PATH: process.env['PATH'], ...env } }
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  const printed = stdout.split(/^## (.*)\n/m).slice(1)
  return new Map(headings.map((heading) => [heading, printed[printed.indexOf(heading) + 1] ?? '']))
}

const name = 'hello__hello'

function startOpenAi(): ReturnType<typeof provider> {
  const call = { type: 'function_call', id: 'f', call_id: 'c', name, arguments: '{"name":"Ada"}' }
  return provider(({ body }, turn) => {
    const text = JSON.stringify(body['input']).includes('Hello, Ada!') ? 'read it' : 'read nothing'
    const said = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text }] }
    return { json: { id: 'r', object: 'response', output: [turn === 0 ? call : said] } }
  })
}

function startAnthropic(): ReturnType<typeof provider> {
  const call = { type: 'tool_use', id: 't', name, input: { name: 'Ada' } }
  return provider(({ body }, turn) => {
    const text = JSON.stringify(body['messages']).includes('Hello, Ada!') ? 'read it' : 'read nothing'
    const content = [turn === 0 ? call : { type: 'text', text }]
    return { json: { id: 'm', type: 'message', role: 'assistant', content } }
  })
}

function startGoogle(): ReturnType<typeof provider> {
  return provider(({ body }, turn) => {
    const text = JSON.stringify(body['contents']).includes('Hello, Ada!') ? 'read it' : 'read nothing'
    const part = turn === 0 ? { functionCall: { id: 'f', name, args: { name: 'Ada' } } } : { text }
    return { json: { candidates: [{ content: { role: 'model', parts: [part] } }] } }
  })
}

let printed: ReadonlyMap<string, string>

beforeAll(async () => {
  await using openAi = await startOpenAi()
  await using anthropic = await startAnthropic()
  await using google = await startGoogle()
  printed = await runAll({
    OPENAI_API_KEY: canary('api-key'),
    OPENAI_BASE_URL: openAi.url,
    ANTHROPIC_API_KEY: canary('api-key'),
    ANTHROPIC_BASE_URL: anthropic.url,
    GEMINI_API_KEY: canary('api-key'),
    GOOGLE_GEMINI_BASE_URL: google.url,
  })
})

test('the example for OpenAI runs', () => {
  expect(printed.get('OpenAI')).toBe('read it\n')
})

test('the example for Anthropic runs', () => {
  expect(printed.get('Anthropic')).toBe("[ { type: 'text', text: 'read it' } ]\n")
})

test('the example for Google runs', () => {
  expect(printed.get('Google')).toBe('read it\n')
})

test('the examples for the AI SDK and for a loop of your own run [S4-130]', () => {
  expect(printed.get('AI SDK')).toBe('Hello, Ada!\n')
  expect(printed.get('Other agent loops')).toBe("[ 'hello__hello', 'hello__repeat' ]\nHello, Ada!\n")
})

test('the example of code that calls tools runs', () => {
  expect(printed.get('Code that calls tools')).toBe('[11,13]\n')
})
