/** An agent on a model with the API of OpenAI's chat completions: it uses a tool, which needs an approval and asks a question. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { openModel, runAgent } from '@toolbridge/agent'
import { localAuthority, openBridge } from '@toolbridge/bridge'

const program = fileURLToPath(new URL('../../packages/testkit/dist/servers/elicit.js', import.meta.url))
const servers = { elicit: { command: 'node', args: [program] } }

// The model: calls its tool, then repeats the result. Remove it and `baseUrl` to use Ollama, llama.cpp or another one.
async function reply(request, response) {
  const { messages, tools } = await json(request)
  const last = messages.at(-1)
  const call = { index: 0, id: 'call_1', function: { name: tools[0].function.name, arguments: '{}' } }
  const delta = last.role === 'tool' ? { content: last.content } : { tool_calls: [call] }
  const finish_reason = last.role === 'tool' ? 'stop' : 'tool_calls'
  response.setHeader('content-type', 'text/event-stream')
  for (const choice of [{ delta }, { delta: {}, finish_reason }])
    response.write(`data: ${JSON.stringify({ id: '1', choices: [{ index: 0, ...choice }] })}\n\n`)
  response.end('data: [DONE]\n\n')
}
const provider = createServer((request, response) => void reply(request, response))
await once(provider.listen(0, '127.0.0.1'), 'listening')
const baseUrl = `http://127.0.0.1:${provider.address().port}/v1`

// The person: approves the call once, then fills in the form of the server.
const asked = []
const answerer = {
  kinds: ['approval', 'form'],
  ask: async ({ kind, tool }) => {
    asked.push(`${kind}: ${tool}`)
    if (kind === 'approval') return { action: 'accept', decision: 'once' }
    return { action: 'accept', content: { name: 'Ada', excited: true } }
  },
}

const permissions = { mode: 'ask' }
const bridge = await openBridge({ servers, authority: localAuthority(), permissions, answerer })
try {
  const model = await openModel('compatible/scripted', { baseUrl })
  const messages = [{ role: 'user', content: 'Greet me.' }]
  const { text, end, steps } = await runAgent({ model, bridge, messages, only: ['elicit__greet_me'] })
  assert.deepEqual({ text, end, steps }, { text: 'Hello, Ada!!!', end: 'answered', steps: 2 })
  assert.deepEqual(asked, ['approval: elicit__greet_me', 'form: elicit__greet_me'])
  console.log(text)
} finally {
  await bridge.close()
  provider.closeAllConnections()
  provider.close()
}
