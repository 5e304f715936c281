import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fixtureServers, startHttpFixture } from '@toolbridge/testkit/servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readText, repositoryFiles, root } from './house/repository.ts'

interface Example {
  /** The declaration that the example belongs to. */
  readonly name: string
  readonly code: string
  /** The comments after `console.log(…)`. */
  readonly expected: readonly string[]
}

const examples: readonly Example[] = repositoryFiles(/^packages\/\w+\/src\/.*\.tsx?$/).flatMap((file) =>
  [...readText(file).matchAll(/@example\n *\* ```ts\n([\s\S]*?)\* ```\n *\*\/\n(.*)/g)].map(
    ([, block = '', declaration = '']) => {
      const code = block.replaceAll(/^ *\* ?/gm, '')
      const comments = code.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)
      return {
        name: declaration.replace(/^.*\b(?:class|function) |^ +/, '').replace(/\W.*/, ''),
        code,
        expected: [...comments].map(([, comment = '']) => comment),
      }
    },
  ),
)

/** Names that the examples use without declaring them. */
const preamble = `
import { format } from 'node:util'
import { configFile, localAuthority, openBridge } from '@toolbridge/bridge'
import { scriptedModel } from '@toolbridge/testkit/models'
import { loadFixture } from '@toolbridge/testkit/servers'

const scripted = await scriptedModel({
  shape: 'openai',
  turns: ({ results: [result] }) =>
    result === undefined ? { calls: [{ tool: 'hello__hello', input: { name: 'Ada' } }] } : { text: result },
})
Object.assign(process.env, scripted.env)
const url = process.argv[2] ?? ''
const mcpServer = (await loadFixture('hello'))()
const bridge = await openBridge({
  servers: configFile('mcp.json', { kind: 'user' }),
  authority: localAuthority(),
  permissions: { mode: 'allow' },
})
const outputs: Record<string, string[]> = {}
async function run(name: string, example: (console: { log(...values: unknown[]): void }) => Promise<void>) {
  const lines: string[] = (outputs[name] = [])
  await example({ log: (...values) => void lines.push(format(...values).replaceAll(/\\s+/g, ' ')) })
}
`

const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'esnext.disposable', 'dom'],
  strict: true,
  skipLibCheck: true,
  types: ['node'],
}

/** One program of all examples, each in a function: one start of Node and of the compiler instead of many. */
function program(): string {
  const runs = examples.map(({ name, code }) => {
    const body = code.replaceAll(/^import (\{.*\}) from ('.*')$/gm, 'const $1 = await import($2)')
    return `await run('${name}', async (console) => {\n${body}\n})`
  })
  const end =
    'await bridge.close()\nawait scripted[Symbol.asyncDispose]()\nprocess.stdout.write(JSON.stringify(outputs))'
  return [preamble, ...runs, end].join('\n')
}

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolbridge-tsdoc-'))
  const mcpServers = { hello: { command: 'node', args: [join(folder, 'server.mjs')] } }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'server.mjs'), `import ${JSON.stringify(fixtureServers.hello)}`)
  await writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['examples.mts'] }))
  await writeFile(join(folder, 'examples.mts'), program())
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('at least twelve declarations have an example, and no two share a name', () => {
  const names = examples.map(({ name }) => name)
  expect(names.length).toBeGreaterThanOrEqual(12)
  expect(new Set(names).size).toBe(names.length)
  expect(examples.filter(({ code }) => code.split('\n').length > 15)).toEqual([])
})

test('the examples in the sources compile, run, and print what their comments say', async () => {
  await using server = await startHttpFixture('hello')
  const runNode = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, args, { cwd: folder, timeout: 600_000 }).catch(
      ({ stdout, stderr }) => Promise.reject(new Error(`${String(stdout)}\n${String(stderr)}`)),
    )
  await runNode(join(root, 'node_modules/typescript/bin/tsc'))
  const { stdout } = await runNode('examples.mjs', server.url)
  expect(JSON.parse(stdout)).toEqual(
    Object.fromEntries(examples.map(({ name, expected }) => [name, expected])),
  )
})
