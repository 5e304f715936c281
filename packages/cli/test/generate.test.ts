import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { configFile, localAuthority, openBridge } from '@toolbridge/bridge'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientText } from '../src/generate/client-text.ts'
import { type Finished, temporaryFolder } from './transcript.ts'
import { type Workplace, workplace } from './workshop.ts'

const testkit = createRequire(new URL('../../testkit/package.json', import.meta.url))
const compiler = createRequire(import.meta.url).resolve('typescript/package.json')

let place: Workplace
let made: Finished
/** What the compiler complains about in all generated clients: one start of it for all tests. */
let problems: string
beforeAll(async () => {
  const folder = temporaryFolder()
  const official = (name: string, ...args: readonly string[]) => ({
    command: process.execPath,
    args: [testkit.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
  })
  place = workplace({
    everything: official('everything'),
    'file-system': official('filesystem', folder.path),
    memory: { ...official('memory'), env: { MEMORY_FILE_PATH: join(folder.path, 'memory.jsonl') } },
  })
  made = await place.run(['generate', '--output', 'tools.ts'])
  writeFileSync(join(place.path, 'use.ts'), use)
  writeFileSync(join(place.path, 'odd.ts'), clientText(oddTools))
  problems = await complaints(place.path)
})
afterAll(() => place.remove())

/** A program that uses the client of the official servers. */
const use = `import { createTools, type ToolCaller } from './tools.js'
    declare const caller: ToolCaller<{ timeoutMs: number }>
    const tools = createTools(caller)
    export const sum: Promise<unknown> = tools.everything['get-sum']({ a: 1, b: 2 }, { timeoutMs: 5 })
    // @ts-expect-error a number is not text
    export const wrong: Promise<unknown> = tools.everything.echo({ message: 1 })
    // @ts-expect-error the message is missing
    export const missing: Promise<unknown> = tools.everything.echo({})
    export const entities: Promise<unknown> = tools.memory.create_entities({
      entities: [{ name: 'Ada', entityType: 'person', observations: [] }],
    })`

/** Compiles files with every strict option. Returns what the compiler complains about. */
async function complaints(folder: string): Promise<string> {
  const options = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitOverride: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    isolatedModules: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    isolatedDeclarations: true,
    declaration: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022'],
    types: [],
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
  )
  const program = join(compiler, '../bin/tsc')
  return promisify(execFile)(process.execPath, [program, '-p', folder]).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout,
  )
}

test('the client of three official servers compiles with strict options and calls them', async () => {
  expect(made).toMatchObject({ code: 0, stdout: '' })
  expect(made.stderr).toMatch(/^toolbridge: wrote \d+ tools to .*tools\.ts\n$/)
  expect(problems).toBe('')
  const file = join(place.path, 'tools.ts')
  const { createTools } = await import(pathToFileURL(file).href)
  await using bridge = await openBridge({
    servers: configFile(join(place.path, 'mcp.json'), { kind: 'user' }),
    authority: localAuthority(),
    permissions: { mode: 'allow' },
  })
  const tools = createTools(bridge)
  expect(await tools.everything.echo({ message: 'hello' })).toMatchObject({
    content: [{ type: 'text', text: 'Echo: hello' }],
  })
  expect(await tools['file-system'].list_allowed_directories({})).toMatchObject({
    content: [{ text: expect.stringContaining('Allowed directories') }],
  })
  const entity = { name: 'Ada', entityType: 'person', observations: [] }
  expect(await tools.memory.create_entities({ entities: [entity] })).toMatchObject({
    structuredContent: { entities: [entity] },
  })
})

function tool(
  rawName: string,
  inputSchema: object,
  more: object = {},
): Parameters<typeof clientText>[0][number] {
  const uri = `mcp://odd/${encodeURIComponent(rawName)}`
  const definition = { name: rawName, inputSchema: { type: 'object', ...inputSchema }, ...more }
  return { name: rawName, server: 'odd server', rawName, uri, plainNames: [], definition }
}

function property(schema: unknown): object {
  return { properties: { it: schema }, required: ['it'] }
}

function typeOf(schema: unknown): string {
  const [, type = ''] =
    /OddServerXArguments = \{\n {2}readonly it: (.*?)\n\}/s.exec(clientText([tool('x', property(schema))])) ??
    []
  return type.replaceAll(/\s+/g, ' ')
}

test.each([
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [
    { enum: ['a', 1, null, true, ['b'], { c: 2 }] },
    '"a" | 1 | null | true | readonly ["b"] | { readonly c: 2 }',
  ],
  [{ const: 'a"b' }, String.raw`"a\"b"`],
  [
    { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    'string | readonly string[]',
  ],
  [
    { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    'readonly (string | number)[]',
  ],
  [
    { type: 'array', prefixItems: [{ type: 'string' }, {}], minItems: 1, items: false },
    'readonly [(string), (unknown)?]',
  ],
  [{ type: 'array' }, 'readonly unknown[]'],
  [
    { allOf: [{ properties: { a: { type: 'string' } } }, { required: ['b'], type: 'object' }] },
    '{ readonly a?: string } & { readonly b: unknown }',
  ],
  [{ type: 'object' }, '{ readonly [name: string]: unknown }'],
  [{ type: 'object', properties: {} }, 'Readonly<Record<string, never>>'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, '{ readonly [name: string]: number }'],
  [
    { type: 'object', properties: { 'a-b': { type: 'string' } }, additionalProperties: true },
    '{ readonly "a-b"?: string readonly [name: string]: unknown }',
  ],
  [{ type: 'string', nullable: true }, 'string | null'],
  [{ $ref: '#/nowhere' }, 'unknown'],
  [{ $ref: 'https://elsewhere.test/schema' }, 'unknown'],
  [true, 'unknown'],
  [false, 'never'],
  [{}, 'unknown'],
])('%j becomes %s', (schema, type) => {
  expect(typeOf(schema)).toBe(type)
})

const itself = { $ref: '#/$defs/a' }
const oddTools = [
  tool('__proto__', property({ type: 'string' }), { description: 'Ends */ here,\nand `there` \u202E.' }),
  tool('new', {}),
  tool('1', {
    properties: { ['__proto__']: {}, "it's": { type: 'string', description: '*/ alert(1) /*' } },
  }),
  tool('a b', { properties: { tree: { $ref: '#' } } }),
  tool('a-b', { $defs: { a: { anyOf: [itself, { type: 'string' }] } }, properties: { a: itself } }),
  tool('c', { $defs: { a: itself }, allOf: [itself] }),
  tool('d', { allOf: [{ $ref: '#' }] }),
  tool('e', {
    $defs: {
      a: { anyOf: [{ type: 'object', properties: { b: { $ref: '#/$defs/b' } } }, { $ref: '#/$defs/b' }] },
      b: { anyOf: [itself, { type: 'number' }] },
    },
    properties: { a: itself },
  }),
  tool(
    'f',
    { properties: { line: { const: 'a\u2028b' } } },
    { outputSchema: { type: 'object', properties: { ok: {} } } },
  ),
  tool('Tool Result', { type: 'string' }),
]

test('odd names, descriptions and references still give a file that compiles', async () => {
  expect(problems).toBe('')
  const { createTools } = await import(pathToFileURL(join(place.path, 'odd.ts')).href)
  const called: unknown[] = []
  const odd = createTools({ call: (...args: readonly unknown[]) => called.push(args) })['odd server']
  expect(Object.keys(odd).toSorted()).toEqual(oddTools.map(({ rawName }) => rawName).toSorted())
  odd['__proto__']({ it: 'x' }, 'options')
  expect(called).toEqual([['mcp://odd/__proto__', { it: 'x' }, 'options']])
})

test('the same tools give the same text, in whatever order they are listed', () => {
  const tools = [tool('a', {}), tool('b', {})]
  expect(clientText(tools.toReversed())).toBe(clientText(tools))
})
