import { maskEntry, type ServerEntryObject } from '@toolbridge/bridge/config'
import { canary, canaryIn } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'

const secret = canary('saved')

function shown(entry: ServerEntryObject): ServerEntryObject {
  return maskEntry(entry, '***')
}

test('what is surely no secret is shown: programs, packages, known flags, plain URLs, numbers and references [C18]', () => {
  const entries: readonly ServerEntryObject[] = [
    {
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-everything@2025.1.2', '--verbose'],
      disabled: true,
    },
    {
      command: '/usr/local/bin/python3.12',
      args: ['-m', 'mcp_server_time', '--log-level', '${input:level}'],
    },
    {
      command: 'C:\\Program Files\\nodejs\\node.exe',
      args: ['./dist/index.js', '--port', '8080', '--headless=true'],
    },
    { type: 'streamable-http', url: 'https://mcp.example/api/v1/mcp', timeouts: { callMs: 5_000 } },
    { url: 'http://127.0.0.1:3000/sse', headers: { Authorization: 'Bearer ${secret:TOKEN}' }, start: 'lazy' },
    {
      url: 'https://mcp.example/mcp',
      auth: {
        kind: 'oauth',
        clientSecret: '${secret:CLIENT}',
        metadataUrl: 'https://issuer.example/.well-known/oauth-authorization-server',
        callbackPort: 8_080,
      },
    },
    { command: 'uvx', args: [], env: { KEY: '${secret:KEY}', DEBUG: 'true' } },
  ]
  for (const entry of entries) expect(shown(entry)).toEqual(entry)
})

test.each<[string, readonly string[]]>([
  ['a positional argument', [secret]],
  ['a positional argument after a package', ['-y', 'some-server', 'hunter2']],
  ['a short flag', ['-p', 'hunter2']],
  ['a short flag without a space', ['-phunter2']],
  ['a flag with an assignment', ['--token=hunter2']],
  ['a flag with an unusual name', ['--pat', 'hunter2', '--pw', 'hunter2', '--k', 'hunter2']],
  ['a value that begins like a flag', ['--token', '--correct-horse-battery']],
  ['an unknown flag with a value', ['--x-hunter2=1']],
  ['a header', ['-H', 'Authorization: Bearer hunter2']],
  ['a variable of a container', ['-e', 'NAME=hunter2']],
  ['a URL with a password', ['https://ada:hunter2@host.example/']],
  ['a URL with a query', ['https://host.example/?x=hunter2']],
  ['a PIN', ['--pin', '123456', '123456', '--pin=123456']],
  ['a path', ['/home/ada/hunter2', 'C:\\hunter2']],
  ['the default of a variable', ['${env:TOKEN:-hunter2}']],
  ['a reference beside a text', ['hunter2${env:TOKEN}']],
  ['a variable that does not exist', ['${hunter2}']],
  ['JSON', ['{"token":"hunter2"}']],
])('%s is masked among the arguments [C18]', (_what, args) => {
  for (const command of ['npx', 'some-program']) {
    const masked = shown({ command, args: ['--stdio', ...args] })
    expect(JSON.stringify(masked)).not.toMatch(/hunter2|123456|horse/)
    expect(canaryIn(JSON.stringify(masked))).toBeUndefined()
    expect(masked).toMatchObject({ command, args: expect.arrayContaining(['--stdio', '***']) })
  }
})

test.each([
  'https://ada:hunter2@mcp.example/mcp',
  'https://hunter2@mcp.example/mcp',
  'https://mcp.example/mcp?region=hunter2',
  'https://mcp.example/mcp?hunter2',
  'https://mcp.example/mcp#hunter2',
  'https://mcp.example/s/hunter2/mcp',
  'https://mcp.example/hunter/mcp',
  'https://mcp.example/hunter%32',
  'https://mcp.example\\hunter2',
  'https://0f8fad5bd9cb469fa16570867728950e.mcp.example/mcp',
  'https://mcp.example/${env:KEY:-hunter2}',
  'data:text/plain,hunter2',
  ' https://mcp.example/mcp hunter2',
])('the URL %s is masked as a whole [C18]', (url) => {
  expect(shown({ url })).toEqual({ url: '***' })
  expect(shown({ url: 'https://mcp.example/mcp', auth: { tokenUrl: url } })).toMatchObject({
    auth: { tokenUrl: '***' },
  })
})

test('values of variables and headers are masked whatever their names are [C18]', () => {
  const values = {
    REGION: 'eu',
    EMPTY: '',
    PIN: '1234',
    NOTE: 'Bearer hunter2',
    url: 'https://mcp.example/mcp',
  }
  const masked = { REGION: '***', EMPTY: '***', PIN: '***', NOTE: '***', url: '***' }
  expect(shown({ command: 'x', env: values })).toEqual({ command: 'x', env: masked })
  expect(shown({ url: 'https://mcp.example/mcp', headers: values })).toMatchObject({ headers: masked })
})

test('texts in fields that are unknown, nested or of the wrong kind are masked [C18]', () => {
  const entry = {
    command: ['npx', secret],
    args: { first: secret, list: [[secret]] },
    type: secret,
    start: secret,
    url: { deep: { deeper: secret } },
    auth: {
      kind: secret,
      clientId: secret,
      scopes: [secret],
      nested: { tokenUrl: 'https://mcp.example/mcp' },
    },
    constructor: secret,
    toString: [secret],
    env: secret,
    other: { deep: [{ text: secret, number: 1, flag: true, nothing: null }] },
  }
  const text = JSON.stringify(shown(entry))
  expect(canaryIn(text)).toBeUndefined()
  expect(text).not.toContain('mcp.example')
  expect(JSON.parse(text)).toMatchObject({
    other: { deep: [{ text: '***', number: 1, flag: true, nothing: null }] },
  })
})

test.each([
  'TOKEN=hunter2 npx',
  'npx --token hunter2',
  'sh -c hunter2',
  '/opt/0f8fad5b-d9cb-469f/x',
  `/opt/${secret}`,
])('the command %j is masked', (command) => {
  expect(shown({ command })).toEqual({ command: '***' })
})
