import { type Answerer, type Bridge, type BridgeEvent, openBridge } from '@toolbridge/bridge'
import { createCodeRunner } from '@toolbridge/bridge/code'
import { openaiChatTools } from '@toolbridge/bridge/openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ModelSurface, modelSurface } from '../../src/adapters/model-surface.ts'
import { inMemory } from '../servers/in-memory.ts'
import { scriptedInMemory } from '../servers/scripted-in-memory.ts'
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

/** Events of runs and calls since the last one. */
function journaled(): readonly object[] {
  return events.splice(0).filter(({ type }) => /^(code|call)\./.test(type))
}

describe('the journal', () => {
  test('has the run, its calls under it, and the run under what started it', async () => {
    journaled()
    const traced = modelSurface(bridge, 'generic', { code: { runner }, parent: 'run of an agent' })
    await said('await tools.hello__hello({}); await tools.hello__hello({})', traced)
    const told = journaled()
    const [{ runId } = { runId: undefined }] = told as { runId?: string }[]
    expect(runId).toMatch(/^[\da-f-]{36}$/)
    const run = { runId, parent: 'run of an agent', origin: { principal: 'local', conversation: 'main' } }
    const call = { tool: 'hello__hello', parent: runId }
    const at = expect.any(Date)
    expect(told).toEqual([
      { type: 'code.started', at, trace: undefined, ...run },
      expect.objectContaining({ type: 'call.started', ...call }),
      expect.objectContaining({ type: 'call.finished', ...call }),
      expect.objectContaining({ type: 'call.started', ...call }),
      expect.objectContaining({ type: 'call.finished', ...call }),
      { type: 'code.finished', at, ...run, outcome: 'ok', calls: 2, durationMs: expect.any(Number) },
    ])
    await said('return 1')
    expect(journaled()).toMatchObject([{ type: 'code.started' }, { outcome: 'ok', calls: 0 }])
  })

  test.each([
    ['let a = = 1', { failure: 'syntax', calls: 0 }],
    ['await tools.hello__hello({}); throw new Error("secret of the code")', { failure: 'error', calls: 1 }],
    ['await new Promise(() => {})', { failure: 'stuck', calls: 0 }],
    ['console.log("x".repeat(1e6))', { failure: 'limit', limit: 'output', calls: 0 }],
  ])('says how a run failed, and nothing of the code: %s', async (code, failure) => {
    journaled()
    await said(code)
    const told = journaled()
    expect(told.at(-1)).toMatchObject({ type: 'code.finished', outcome: 'failed', ...failure })
    expect(JSON.stringify(told)).not.toMatch(/secret of the code|tools\.|xxx/)
  })

  test('says that a run was cancelled', async () => {
    journaled()
    const abort = new AbortController()
    const asking = surfaceOf(async () => {
      abort.abort(new Error('enough'))
      return { action: 'cancel' }
    })
    const code = 'await tools.elicit__greet_me({})'
    await expect(asking.call('run_code', { code }, { signal: abort.signal })).rejects.toThrow('enough')
    const finished = journaled().find((event) => 'type' in event && event.type === 'code.finished')
    expect(finished).toMatchObject({ outcome: 'cancelled', calls: 1 })
    expect(finished).not.toHaveProperty('failure')
  })
})

test('the progress of a run is the number of its calls that have ended', async () => {
  const told: unknown[] = []
  const code = `await tools.hello__hello({}); await tools.gallery__structured({ value: 1 })`
  await surface.call('run_code', { code }, { onProgress: (progress) => told.push(progress) })
  expect(told).toEqual([
    { progress: 1, message: 'hello__hello' },
    { progress: 2, message: 'gallery__structured' },
  ])
})

test('tools of servers may have the names of our own', async () => {
  const names = ['search_tools', 'run_code', 'tool_search', 'constructor', 'console']
  const tools = names.map((name) => ({ name, inputSchema: { type: 'object' as const } }))
  await using other = await openBridge({
    ...permissive([inMemory('hello', 'any')]),
    naming: { separator: 'none' },
    transportOf: scriptedInMemory(tools, ({ name }) => ({
      content: [{ type: 'text', text: `I am ${name}` }],
    })),
  })
  const all = `return await Promise.all(${JSON.stringify(names)}.map((name) => tools[name]({})))`
  const expected = JSON.stringify(names.map((name) => `I am ${name}`))
  const declared = modelSurface(other, 'generic', { code: { runner } })
  const searched = modelSurface(other, 'generic', { code: { runner, maxTokens: 1 } })
  expect(declared.tools.map(({ name }) => name)).toEqual(['run_code'])
  expect(await said(all, declared)).toBe(expected)
  expect(await said(all, searched)).toBe(expected)
  expect(searched.tools[0]?.description).toContain('search_tools_(args: { query: string })')
  expect(await said(`return await tools.search_tools_({ query: 'run code' })`, searched)).toContain(
    'run_code(',
  )
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

test('calls of the bridge go on while code never ends', async () => {
  const abort = new AbortController()
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const code = 'await tools.hello__hello({}); for (;;);'
  const run = { signal: abort.signal, onProgress: () => begin() }
  const ended = expect(surface.call('run_code', { code }, run)).rejects.toThrow('enough')
  await begun
  const [{ content }, text] = await Promise.all([
    bridge.call('hello__hello', { name: 'Ada' }),
    said(`return await tools.hello__hello({ name: 'Bob' })`),
  ])
  expect([content, text]).toEqual([[{ type: 'text', text: 'Hello, Ada!' }], 'Hello, Bob!'])
  abort.abort(new Error('enough'))
  await ended
})
