import { type Answerer, type Bridge, type BridgeEvent, openBridge } from '@toolbridge/bridge'
import { createCodeRunner } from '@toolbridge/bridge/code'
import { openaiChatTools } from '@toolbridge/bridge/openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ModelSurface, modelSurface } from '../../src/adapters/model-surface.ts'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

const runner = createCodeRunner({ limits: { timeoutMs: 100_000 } })
let bridge: Bridge
let surface: ModelSurface
const events: BridgeEvent[] = []
beforeAll(async () => {
  bridge = await openBridge({
    journal: (event) => events.push(event),
    ...permissive([inMemory('gallery'), inMemory('hello'), inMemory('elicit')]),
    permissions: { mode: 'allow', deny: ['mcp:hello__repeat'] },
  })
  surface = modelSurface(bridge, 'generic', { code: { runner } })
})
afterAll(() => Promise.all([bridge.close(), runner.close()]))

async function said(code: string, on = surface): Promise<string> {
  const { content } = await on.answer('run_code', { code })
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n')
}

describe('run_code', () => {
  test('replaces the tools, and declares them', () => {
    expect(surface.tools.map(({ name }) => name)).toEqual(['run_code'])
    const { description = '' } = surface.tools[0] ?? {}
    expect(description).toContain('hello__hello(args: {')
    expect(description).toContain('gallery__structured(args: {')
    expect(description).toContain('Promise<{\n    value: number\n  }>')
    expect(description).not.toContain('gallery__of_the_page')
    expect(openaiChatTools(bridge, { code: { runner } }).tools).toMatchObject([
      { function: { name: 'run_code' } },
    ])
  })

  test('returns texts and structured content to the code, and what the code returns to the model', async () => {
    expect(
      await said(`const [text, { value }] = await Promise.all([
        tools.hello__hello({ name: 'Ada' }),
        tools.gallery__structured({ value: 7 }),
      ])
      console.log(text)
      return { value }`),
    ).toBe('Logs:\nHello, Ada!\n\n{"value":7}')
    expect(await said('await tools.hello__hello({})')).toBe('The code returned nothing.')
  })

  test('shows the model nothing of a result that the code keeps for itself', async () => {
    expect(await said(`return (await tools.gallery__long({ characters: 5000 })).length`)).toBe('5000')
  })

  test('tells the code of failures, and the model of code that fails', async () => {
    expect(await said(`return await tools.gallery__broken_picture().catch((e) => e.message)`)).toContain(
      'image',
    )
    expect(await said(`\nreturn await tools.gone({})`)).toMatch(/^The code failed \(line 2\): TypeError/)
    expect(await said('let a = = 1')).toMatch(/^The code failed \(line 1\): SyntaxError/)
    expect(await said(`return await tools.hello__hello({ name: 5 }).catch((e) => e.message)`)).toContain(
      'name',
    )
  })

  test('calls no tool that the rules deny, or that the surface leaves out', async () => {
    const repeat = `return await tools.hello__repeat({ text: 'a', times: 2 }).catch((e) => e.message)`
    expect(await said(repeat)).toContain('may not be called')
    const some = modelSurface(bridge, 'generic', { code: { runner }, only: ['hello__hello'] })
    expect(await said('return Object.keys(tools)', some)).toBe('["hello__hello"]')
  })

  test('finds tools by search when their declarations are too long', async () => {
    const searched = modelSurface(bridge, 'generic', { code: { runner, maxTokens: 50 } })
    const { description = '' } = searched.tools[0] ?? {}
    expect(description).toContain('search_tools(args: { query: string })')
    expect(description).not.toContain('hello__hello')
    const code = `const found = await tools.search_tools({ query: 'greet somebody' })
      return [found.includes('hello__hello(args'), await tools.hello__hello({ name: 'Ada' })]`
    expect(await said(code, searched)).toBe('[true,"Hello, Ada!"]')
    expect(await said(`return await tools.search_tools({ query: 'quantum' })`, searched)).toContain(
      'no tool was found',
    )
  })
})

/** The surface of a person with a channel. */
function surfaceOf(ask: Answerer['ask']): ModelSurface {
  const origin = { principal: 'ada', conversation: 'one' }
  return modelSurface(bridge, 'generic', { code: { runner }, origin, answerer: { ask } })
}

test('the journal has the calls of a run under one parent', async () => {
  events.length = 0
  await said('await Promise.all([tools.hello__hello({}), tools.hello__hello({})])')
  await said('await tools.hello__hello({})')
  const parents = events.flatMap((event) => (event.type === 'call.finished' ? [event.parent] : []))
  expect(parents).toHaveLength(3)
  expect(parents[0]).toMatch(/^[\da-f-]{36}$/)
  expect(parents[1]).toBe(parents[0])
  expect(new Set(parents).size).toBe(2)
})

test('a question from inside of code goes to the caller, and the code goes on', async () => {
  const asked: unknown[] = []
  const asking = surfaceOf(async (question) => {
    asked.push(question)
    return { action: 'accept', content: { name: 'Ada', excited: true } }
  })
  expect(await said(`return [await tools.elicit__greet_me({}), 'and on']`, asking)).toBe(
    '["Hello, Ada!!!","and on"]',
  )
  expect(asked).toMatchObject([{ kind: 'form', message: 'What is your name?' }])
})

test('aborting ends the code, its call and the question of that call', async () => {
  const abort = new AbortController()
  let withdrawn: AbortSignal | undefined
  const asking = surfaceOf((_question, { signal }) => {
    withdrawn = signal
    abort.abort(new Error('enough'))
    return new Promise(() => {})
  })
  const code = `await tools.elicit__greet_me({}).catch(() => {}); for (;;);`
  await expect(asking.call('run_code', { code }, { signal: abort.signal })).rejects.toThrow('enough')
  await expect.poll(() => withdrawn?.aborted).toBe(true)
})
