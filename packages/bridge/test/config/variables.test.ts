import { ConfigError } from '@toolbridge/bridge'
import {
  type Authority,
  type HttpServerSpec,
  resolveSpec,
  type StdioServerSpec,
} from '@toolbridge/bridge/config'
import { canary } from '@toolbridge/testkit/secrets'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const source = { file: '/project/mcp.json', pointer: '/mcpServers/a' }
const commons = { name: 'a', enabled: true, required: false, source }

function local(env: Readonly<Record<string, string>> = {}): Authority {
  return { kind: 'local', env, workspaceFolder: '/work space' }
}

function stdio(spec: Partial<StdioServerSpec>): StdioServerSpec {
  return { ...commons, transport: 'stdio', command: 'a', args: [], env: {}, ...spec }
}

function http(spec: Partial<HttpServerSpec>): HttpServerSpec {
  return { ...commons, transport: 'http', url: 'https://a.test/', headers: {}, ...spec }
}

/** What becomes of one text under the given environment. */
async function expanded(
  text: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const { spec } = await resolveSpec(stdio({ args: [text] }), local(env))
  return spec.transport === 'stdio' ? spec.args[0] : undefined
}

async function issuesOf(resolving: Promise<unknown>): Promise<readonly string[]> {
  try {
    await resolving
  } catch (error) {
    if (error instanceof ConfigError)
      return error.issues.map((issue) => `${issue.severity} ${issue.code} ${issue.path}`)
    throw error
  }
  return []
}

test.each([
  ['plain', 'plain'],
  ['${env:A}', 'one'],
  ['x-${env:A}-${env:B}-y', 'x-one-two-y'],
  ['${env:NOT:-fallback}', 'fallback'],
  ['${env:EMPTY:-fallback}', 'fallback'],
  ['${env:A:-fallback}', 'one'],
  ['${env:NOT:-}', ''],
  ['${workspaceFolder}/src', '/work space/src'],
  ['$${env:A}', '${env:A}'],
  ['$$${env:A}', '$${env:A}'],
  ['$A $(A) {env:A} %A%', '$A $(A) {env:A} %A%'],
  ['cost: $5 }', 'cost: $5 }'],
])('%s becomes %s', async (text, result) => {
  expect(await expanded(text, { A: 'one', B: 'two', EMPTY: '' })).toBe(result)
})

test('what a variable is replaced by is never expanded again [d.6-7]', async () => {
  const dangerous = fc.constantFrom('${env:A}', '${env:B}', '$${', '${', '}', '$', '${workspaceFolder}', 'x')
  const value = fc.array(dangerous, { maxLength: 6 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(value, value, async (a, b) => {
      expect(await expanded('<${env:A}|${env:B}>', { A: a, B: b })).toBe(`<${a}|${b}>`)
    }),
  )
})

test('a text whose every ${ is escaped comes back as it was meant [C15]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', 'env:A') }), async (meant) => {
      fc.pre(!meant.includes('$${'))
      expect(await expanded(meant.replaceAll('${', () => '$${'))).toBe(meant)
    }),
  )
})

test('a variable that is not set becomes nothing, and a warning names it and the field [D14]', async () => {
  const { spec, issues } = await resolveSpec(stdio({ args: ['a', '${env:GONE}!'] }), local())
  expect(spec).toMatchObject({ args: ['a', '!'] })
  expect(issues).toMatchObject([
    { severity: 'warning', code: 'variable_unset', file: source.file, path: '/mcpServers/a/args/1' },
  ])
  expect(issues[0]?.message).toContain('GONE')
})

test('a header that is nothing but unset variables is not sent', async () => {
  const headers = {
    Authorization: '${env:GONE}',
    'X-Both': '${env:GONE}${env:LOST}',
    'X-Some': 'Bearer ${env:GONE}',
  }
  const { spec, issues } = await resolveSpec(http({ headers }), local())
  expect(spec).toMatchObject({ headers: { 'X-Some': 'Bearer' } })
  expect(Object.keys(spec.transport === 'http' ? spec.headers : {})).toEqual(['X-Some'])
  expect(issues).toHaveLength(4)
})

test('every field of a definition is expanded [D12] [S3-15] [S3-18]', async () => {
  const env = { V: 'v' }
  const one = await resolveSpec(
    stdio({ command: '${env:V}', args: ['${env:V}'], env: { K: '${env:V}' }, cwd: '${env:V}' }),
    local(env),
  )
  expect(one.spec).toMatchObject({ command: 'v', args: ['v'], env: { K: 'v' }, cwd: '/work space/v' })
  const two = await resolveSpec(
    http({ url: 'https://${env:V}.test/', headers: { H: '${env:V}\n' } }),
    local(env),
  )
  expect(two.spec).toMatchObject({ url: 'https://v.test/', headers: { H: 'v' } })
})

describe('a definition that cannot be understood is refused with every issue', async () => {
  test.each([
    ['${env:A', 'variable_unterminated'],
    ['${A}', 'variable_unknown'],
    ['${input:key}', 'input_missing'],
    ['${env:A:-${env:A}}', 'variable_cyclic'],
    ['${env:}', 'variable_unknown'],
    ['${}', 'variable_unknown'],
    ['${env:A:-${env:B}}', 'variable_nested'],
    ['a\0b', 'value_invalid'],
  ])('%j', async (text, code) => {
    const path = '/mcpServers/a'
    expect(await issuesOf(resolveSpec(stdio({ args: [text], env: { 'a/b': text } }), local()))).toEqual([
      `error ${code} ${path}/args/0`,
      `error ${code} ${path}/env/a~1b`,
    ])
  })

  test.each(['', 'not an address', 'ftp://a.test', 'file:///etc/passwd'])('a url such as %j', async (url) => {
    expect(await issuesOf(resolveSpec(http({ url }), local()))).toEqual([
      'error value_invalid /mcpServers/a/url',
    ])
  })

  test('a header that would start another header', async () => {
    const spec = http({ headers: { 'X-A': '${env:A}', 'bad name': 'x' } })
    expect(await issuesOf(resolveSpec(spec, local({ A: 'x\r\nX-B: y' })))).toEqual([
      'error value_invalid /mcpServers/a/headers/X-A',
      'error value_invalid /mcpServers/a/headers/bad name',
    ])
  })
})

test('no message quotes a value', async () => {
  const secret = canary('value')
  const spec = http({ url: `nowhere ${secret}`, headers: { A: `p\${${secret}}`, B: '${env:TOKEN}' } })
  try {
    await resolveSpec(spec, local({ TOKEN: `${secret}\u0007x` }))
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret)
    expect(error instanceof ConfigError && JSON.stringify(error.issues)).not.toContain(secret)
  }
})
