import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { openBridge, type Answerer, type BridgeOptions } from '@toolbridge/bridge'
import { type ModelTurn, type ScriptedModel, scriptedModel } from '@toolbridge/testkit/models'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { providers } from '../../../agent/src/models/providers.ts'
import { agentHelp } from '../../src/commands/agent-options.ts'
import { commandWords } from '../../src/servers/command-words.ts'
import { runInProcess } from '../in-process.ts'
import { hello, linkHello } from '../servers.ts'
import { temporaryFolder, toolbridge } from '../transcript.ts'
import { matching, steps } from './document.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const page = readFileSync(join(root, 'docs/agent.md'), 'utf8')
const address = 'http://127.0.0.1:11434/v1'

/** What the model does about a question: a turn by the results of tools so far. */
const script: Readonly<Record<string, (results: readonly string[]) => ModelTurn>> = {
  'Greet Ada.': ([greeting]) => calling('hello__hello', { name: 'Ada' }, greeting),
  'Greet Ada, then say it twice.': ([greeting, ...more]) =>
    greeting === undefined
      ? calling('hello__hello', { name: 'Ada' })
      : calling('hello__repeat', { text: greeting, count: 2 }, more[0]),
  'What did you say?': ([greeting = '']) => ({ text: greeting }),
  "What's weather in Paris?": () => ({ text: 'Sunny, as the document says.' }),
  'A haiku.': () => ({ text: 'An old silent pond' }),
  'Let the server ask you for a haiku.': ([haiku]) =>
    calling(
      'everything__trigger_sampling_request',
      { prompt: 'A haiku.' },
      haiku?.includes('An old silent pond') === true ? 'The server has its haiku.' : haiku,
    ),
  'How long are the greetings of Ada and Grace?': ([lengths]) =>
    calling(
      'run_code',
      { code: lengthsOfGreetings },
      lengths?.replace(/^\[(\d+),(\d+)\]$/, '$1 and $2 characters.'),
    ),
}

const lengthsOfGreetings = `
const texts = await Promise.all(['Ada', 'Grace'].map((name) => tools.hello__hello({ name })))
return texts.map((text) => text.length)`

/** The answer if there is one, else a call. */
function calling(tool: string, input: object, answer?: string): ModelTurn {
  return answer === undefined ? { calls: [{ tool, input }] } : { text: answer }
}

function turnFor(body: Readonly<Record<string, unknown>>, results: readonly string[]): ModelTurn {
  const said = JSON.stringify(
    (body['messages'] as readonly { role: string }[]).findLast(({ role }) => role === 'user'),
  )
  const [, turn] = Object.entries(script).find(([question]) => said.includes(question)) ?? []
  return turn?.(results) ?? { status: 400, message: `no script for ${said}` }
}

let model: ScriptedModel
const folder = temporaryFolder()
beforeAll(async () => {
  model = await scriptedModel({
    shape: 'compatible',
    turns: ({ body, results }) => turnFor(body, results),
  })
  const [, name = '', code = ''] = /```typescript\n\/\/ (\S+)\n([\s\S]*?)```/.exec(page) ?? []
  writeFileSync(join(folder.path, name), code)
})
afterAll(async () => {
  await model[Symbol.asyncDispose]()
  folder.remove()
})

/** The environment that the page sets, with the address of the scripted model. */
function environment(): Readonly<Record<string, string>> {
  const lines = [...page.matchAll(/^export (\w+)=(\S+)/gm)]
  const set = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, atModel(value)]))
  return { HOME: folder.path, ...set }
}

function atModel(text: string): string {
  return text.replaceAll(address, model.baseUrl)
}

/** The words of a command of the page after `toolbridge`, and the text that is piped to it. */
function parsed(command: string): { readonly words: readonly string[]; readonly input: string } {
  const [, text = '', piped = command] = /^printf '(.*)' \| (.*)$/.exec(command) ?? []
  return { words: commandWords(piped).slice(1), input: text.replaceAll(String.raw`\n`, '\n') }
}

/** Runs a command of the page, and returns what a terminal would show. A program of the user needs a process. */
async function shownBy(command: string): Promise<string> {
  const { words, input } = parsed(command)
  const options = { cwd: root, env: environment(), input }
  if (words[0] === 'run') {
    const { stdout, stderr } = await toolbridge(
      words.map((word) => (word.endsWith('.ts') ? join(folder.path, word) : word)),
      options,
    )
    return stdout + stderr
  }
  let shown = ''
  const show = (text: string): void => void (shown += text)
  await runInProcess(words, { ...options, transportOf: linkSample, onOutput: show, onError: show })
  return shown
}

/** Runs the server that greets in this process. */
const linkSample: NonNullable<BridgeOptions['transportOf']> = (spec, ...rest) =>
  spec.name === 'hello' && spec.transport === 'stdio'
    ? linkHello({ ...spec, args: [fixtureServers.hello] }, ...rest)
    : undefined

test.for(steps(page))(
  'the page about agents shows what $command prints',
  async ({ command, shown }, { expect }) => {
    expect(await shownBy(command)).toMatch(matching(shown))
  },
)

test('the page has examples of every command that uses a model', () => {
  const used = steps(page).map(({ command }) => parsed(command).words[0])
  expect(new Set(used)).toEqual(new Set(['ask', 'chat', 'agent', 'run']))
})

test('the help, this page and the README of the package name every provider with its variables', () => {
  const readme = readFileSync(join(root, 'packages/agent/README.md'), 'utf8')
  for (const [name, { keys, baseUrl }] of Object.entries(providers)) {
    const row = new RegExp(`^\\| \`${name}(?:/…)?\` .*${[...keys, baseUrl].join('.*')}.*$`, 'm')
    for (const text of [page, readme]) expect(text).toMatch(row)
    for (const word of [name, keys.at(-1)]) expect(agentHelp.join('\n')).toMatch(new RegExp(`\\b${word}\\b`))
  }
})

/** Runs a block of code of the page with these names in its scope, and returns what it prints. */
async function printedBy(code: string, scope: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const lines: string[] = []
  const log = (...values: readonly unknown[]): void => void lines.push(format(...values))
  const modules = {
    '@toolbridge/agent': await import('@toolbridge/agent'),
    '@toolbridge/bridge': await import('@toolbridge/bridge'),
  }
  const names = { ...scope, modules, console: { log } }
  const body = atModel(code).replaceAll(/^import (\{.*\}) from ('.*')$/gm, 'const $1 = modules[$2]')
  const run = Object.getPrototypeOf(async () => {}).constructor
  await new run(...Object.keys(names), body)(...Object.values(names))
  return lines
}

test('the code of the page runs', async () => {
  const [conversation = '', sampling = ''] = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
    ([, code]) => code,
  )
  const approving: Answerer = {
    kinds: ['approval'],
    ask: async () => ({ action: 'accept', decision: 'once' }),
  }
  await using bridge = await openBridge({
    servers: { hello },
    authority: { kind: 'local', env: process.env, workspaceFolder: root },
    permissions: { mode: 'allow' },
    transportOf: linkHello,
  })
  expect(await printedBy(conversation, { bridge })).toEqual([
    `hello__hello { name: 'Ada' }`,
    'Hello, Ada!',
    'Hello, Ada!',
  ])
  const program = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  const servers = { everything: { command: process.execPath, args: [program, 'stdio'] } }
  const [text] = await printedBy(sampling, { servers, answerer: approving })
  expect(text).toContain('An old silent pond')
})
