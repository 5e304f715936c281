/** A tool loop with the OpenAI SDK, against a scripted server that plays the Chat Completions API. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { localAuthority, openBridge } from '@toolbridge/bridge'
import { openaiChatTools } from '@toolbridge/bridge/openai'
import OpenAI from 'openai'

const program = fileURLToPath(new URL('../../packages/testkit/dist/servers/hello.js', import.meta.url))
const servers = { hello: { command: 'node', args: [program] } }

// The provider: requests a tool call, then repeats the result. Remove it and `baseURL` to use the real one.
async function reply(request, response) {
  const { messages, tools } = await json(request)
  const last = messages.at(-1)
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: tools[0].function.name, arguments: '{"name":"Ada"}' },
  }
  const message =
    last.role === 'tool'
      ? { role: 'assistant', content: last.content }
      : { role: 'assistant', content: null, tool_calls: [call] }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ object: 'chat.completion', choices: [{ index: 0, message }] }))
}
const provider = createServer((request, response) => void reply(request, response))
await once(provider.listen(0, '127.0.0.1'), 'listening')
const baseURL = `http://127.0.0.1:${provider.address().port}/v1`

const bridge = await openBridge({ servers, authority: localAuthority(), permissions: { mode: 'allow' } })
try {
  const client = new OpenAI({ baseURL, apiKey: 'none' })
  const { tools, answer } = openaiChatTools(bridge)
  const messages = [{ role: 'user', content: 'Greet Ada.' }]
  for (let turn = 0; turn < 5; turn++) {
    const { choices } = await client.chat.completions.create({ model: 'scripted', messages, tools })
    messages.push(choices[0].message)
    const answers = await answer(choices[0].message)
    if (answers.length === 0) break
    messages.push(...answers)
  }
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'assistant'],
  )
  assert.equal(messages.at(-1).content, 'Hello, Ada!')
  console.log(messages.at(-1).content)
} finally {
  await bridge.close()
  provider.closeAllConnections()
  provider.close()
}
