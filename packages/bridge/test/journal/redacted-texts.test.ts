import { type Answerer, openBridge } from '@toolbridge/bridge'
import { expect, test, vi } from 'vitest'
import { redactingAnswerer } from '../../src/elicitation/redacting-answerer.ts'
import { Redaction } from '../../src/journal/redaction/redaction.ts'
import { inMemory } from '../servers/in-memory.ts'
import { scriptedInMemory } from '../servers/scripted-in-memory.ts'
import { permissive } from '../servers/specs.ts'

const secret = 'hunter2-of-the-definition'

test('texts of a tool for models and people contain no secret of its definition', async () => {
  const inputSchema = {
    type: 'object',
    properties: {
      key: { type: 'string', description: `such as ${secret}`, default: secret },
      default: { type: 'object', description: secret, examples: [{ key: [secret] }], default: { size: 3 } },
    },
  }
  const tools = [
    { name: 'look', title: `Look (${secret})`, description: `knows ${secret}`, inputSchema },
    { name: 'plain', description: 'knows nothing', inputSchema: { type: 'object' } },
  ]
  await using bridge = await openBridge({
    ...permissive([{ ...inMemory('hello'), env: { API_KEY: secret } }]),
    transportOf: scriptedInMemory(tools, () => ({ content: [] })),
  })
  const forModels = [
    bridge.toolsFor('openai').tools.map(({ description, parameters }) => [description, parameters]),
  ]
  expect(JSON.stringify([bridge.tools, forModels])).not.toContain(secret)
  expect(bridge.tools.map(({ definition }) => definition)).toEqual([
    {
      name: 'look',
      title: 'Look ([redacted])',
      description: 'knows [redacted]',
      inputSchema: {
        type: 'object',
        properties: {
          key: { type: 'string', description: 'such as [redacted]' },
          default: { type: 'object', description: '[redacted]', default: { size: 3 } },
        },
      },
    },
    tools[1],
  ])
})

test('a form shows no default that contains a secret of a definition, and keeps the other defaults', async () => {
  const redaction = new Redaction()
  redaction.definitions.keep([secret])
  const ask = vi.fn<Answerer['ask']>(async () => ({ action: 'decline' }))
  const properties = {
    key: { type: 'string', title: 'Key', default: `Bearer ${secret}` },
    keys: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: [secret] },
    size: { type: 'string', default: 'medium' },
  } as const
  const question = {
    id: '1',
    kind: 'form',
    server: 'asks',
    origin: { principal: 'ada', conversation: 'one' },
    message: 'Which?',
    schema: { type: 'object', properties },
  } as const
  const { signal } = new AbortController()
  await redactingAnswerer({ ask }, redaction).ask(question, { signal })
  const { default: _key, ...key } = properties.key
  const { default: _keys, ...keys } = properties.keys
  expect(ask).toHaveBeenCalledWith(
    { ...question, schema: { type: 'object', properties: { key, keys, size: properties.size } } },
    { signal },
  )
})
