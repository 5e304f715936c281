/** An AI SDK agent whose tool call needs an approval, and whose server asks a question during the call. */
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { localAuthority, openBridge, readConfig } from '@toolbridge/bridge'
import { aiSdkTools } from '@toolbridge/bridge/ai-sdk'
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'

const program = fileURLToPath(new URL('../../packages/testkit/dist/servers/elicit.js', import.meta.url))
const config = { mcpServers: { elicit: { command: 'node', args: [program] } } }

// A scripted model: calls one tool, then repeats its result. Replace it by a model of your provider.
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const result = prompt.find(({ role }) => role === 'tool')?.content[0].output.value
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'elicit__greet_me', input: '{}' }
    const content = [result === undefined ? call : { type: 'text', text: result }]
    const unified = result === undefined ? 'tool-calls' : 'stop'
    return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] }
  },
})

// The person: approves the call once, then fills in the form of the server.
const asked = []
const answerer = {
  kinds: ['approval', 'form'],
  ask: async (question) => {
    asked.push(`${question.kind}: ${question.tool}`)
    if (question.kind === 'approval') return { action: 'accept', decision: 'once' }
    assert.equal(question.message, 'What is your name?')
    return { action: 'accept', content: { name: 'Ada', excited: true } }
  },
}

const { servers } = readConfig(JSON.stringify(config), { file: 'mcp.json' })
const bridge = await openBridge({
  servers,
  authority: localAuthority(),
  permissions: { mode: 'ask' },
  answerer,
})
try {
  const tools = aiSdkTools(bridge)
  const prompt = 'Greet me.'
  const { text } = await generateText({ model, tools, prompt, stopWhen: stepCountIs(3) })
  assert.equal(text, 'Hello, Ada!!!')
  assert.deepEqual(asked, ['approval: elicit__greet_me', 'form: elicit__greet_me'])
  console.log(text)
} finally {
  await bridge.close()
}
