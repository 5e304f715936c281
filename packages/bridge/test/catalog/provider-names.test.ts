import { type BridgeOptions, openBridge } from '@toolbridge/bridge'
import { googleTool } from '@toolbridge/bridge/google'
import { openaiResponsesTools } from '@toolbridge/bridge/openai'
import { expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

function hello(
  options: Partial<BridgeOptions>,
  name = 'hello',
): Promise<Awaited<ReturnType<typeof openBridge>>> {
  return openBridge({ ...permissive([inMemory('hello', name)]), ...options })
}

test('a bridge names its tools in the style of its policy, and finds them by these names', async () => {
  await using kebab = await hello({ policy: { 'naming.separator': '-', 'naming.sanitize': 'kebab' } })
  expect(kebab.tools.map(({ name }) => name)).toEqual(['hello-hello', 'hello-repeat'])
  expect(await kebab.call('hello-hello', {})).toMatchObject({ content: [{ text: 'Hello, world!' }] })
  await expect(kebab.call('hello__hello', {})).rejects.toThrow('there is no tool')
  expect((await kebab.findTool('mcp://hello/hello'))?.name).toBe('hello-hello')
})

test('what is chosen for names goes before what the policy says', async () => {
  await using bare = await hello({ policy: { 'naming.separator': '-' }, naming: { separator: 'none' } })
  expect(bare.tools.map(({ name }) => name)).toEqual(['hello', 'repeat'])
})

test('a rule that denies holds in every style', async () => {
  for (const deny of ['mcp:hello__hello', 'mcp:hello.hello', 'mcp://hello/hello']) {
    await using bridge = await hello({
      naming: { separator: '.', sanitize: 'none' },
      permissions: { mode: 'allow', deny: [deny] },
    })
    await expect(bridge.call('hello.hello', {})).rejects.toThrow('may not be called')
  }
})

test('a name that a provider does not take is another one for its models, which leads to the same tool', async () => {
  await using bridge = await hello({ naming: { separator: '.', sanitize: 'none' } }, '1 ファイル')
  expect(bridge.tools.map(({ name }) => name)).toEqual(['1 ファイル.hello', '1 ファイル.repeat'])
  const openai = openaiResponsesTools(bridge)
  const [first] = openai.tools
  expect(first?.name).toMatch(/^1_____+hello_[0-9a-f]{8}$/)
  const call = {
    type: 'function_call',
    call_id: 'c',
    name: first?.name ?? '',
    arguments: '{"name":null}',
  } as const
  expect(await openai.answer({ output: [call] })).toMatchObject([{ output: 'Hello, world!' }])
  const google = googleTool(bridge)
  const declared = (await google.tool()) as { functionDeclarations?: { name?: string }[] }
  const name = declared.functionDeclarations?.[0]?.name ?? ''
  expect(name).toMatch(/^t_1_____+hello_[0-9a-f]{8}$/)
  expect(await google.callTool([{ name, args: {} }])).toMatchObject([
    { functionResponse: { response: { output: 'Hello, world!' } } },
  ])
})
