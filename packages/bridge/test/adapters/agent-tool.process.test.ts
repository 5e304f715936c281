import { type Bridge, openBridge } from '@toolbridge/bridge'
import { agentTools } from '@toolbridge/bridge/agent-tool'
import type { AgentTool } from '@toolbridge/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { fixture, permissive } from '../servers/specs.ts'

let bridge: Bridge
beforeAll(async () => {
  bridge = await openBridge(
    permissive([inMemory('gallery'), inMemory('hello'), fixture('hostile'), fixture('catalogue')]),
  )
})
afterAll(() => bridge.close())

function tool(name: string): AgentTool {
  const found = agentTools(bridge).find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`there is no tool ${name}`)
  return found
}

test('a tool has its public name, its description and its parameters, and calls under its own name [S4-130]', async () => {
  const repeat = tool('hello__repeat')
  expect(repeat).toMatchObject({ description: 'Says a text several times.', parameters: { type: 'object' } })
  expect(repeat.definition.name).toBe('repeat')
  expect(await repeat.execute({ text: 'a', count: 2 })).toBe('a a')
})

test('pictures are parts, failures say so, also with a picture, and structured content alone is JSON', async () => {
  expect(await tool('gallery__picture').execute()).toMatchObject([
    { type: 'text', text: 'look' },
    { type: 'image', source: { type: 'base64', mediaType: 'image/png' } },
  ])
  expect(await tool('gallery__broken_picture').execute()).toMatchObject([
    { type: 'text', text: 'Tool error:' },
    { type: 'image' },
  ])
  expect(await tool('hello__repeat').execute({ text: 5 })).toMatch(/^Tool error: /)
  expect(await tool('gallery__structured').execute({ value: 1 })).toBe('{"value":1}')
})

test('the signal of one execution cancels its call', async () => {
  const controller = new AbortController()
  const running = tool('hostile__hang').execute({}, { signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
})

test('the progress of one execution is reported to its caller', async () => {
  const progress: number[] = []
  await tool('catalogue__count').execute(
    { to: 2 },
    { onProgress: (report) => void progress.push(report.progress) },
  )
  expect(progress).toEqual([1, 2])
})
