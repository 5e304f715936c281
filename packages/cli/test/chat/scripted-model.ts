import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A message of a request, in the form of OpenAI's chat completions. */
export interface SentMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

export interface ModelRequest {
  readonly model: string
  readonly messages: readonly SentMessage[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

/** What the model says: a text, calls of tools with their arguments, both, an error, or nothing at all. */
export interface Reply {
  readonly text?: string
  readonly calls?: Readonly<Record<string, object>>
  /** Default: 200. */
  readonly status?: number
  /** Whether the answer is never finished. Default: false. */
  readonly hangs?: boolean
}

export interface ScriptedModel extends AsyncDisposable {
  /** Options of a command that use this model. */
  readonly options: readonly string[]
  readonly requests: readonly ModelRequest[]
  /** Texts of the user's messages in the last request, in order. */
  lastAsked(): readonly string[]
}

/** Plays a server with the API of OpenAI's chat completions: no model can be reached from a test. */
export async function scriptedModel(
  reply: (asked: string, request: ModelRequest) => Reply,
): Promise<ScriptedModel> {
  const requests: ModelRequest[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      // OpenAI's own models have another API.
      const received: ModelRequest = { model: '', messages: [], ...(body as Partial<ModelRequest>) }
      requests.push(received)
      send(response, reply(textOf(received.messages.at(-1)), received))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    options: ['--model', 'compatible/scripted', '--base-url', `http://127.0.0.1:${port}/v1`],
    requests,
    lastAsked: () => (requests.at(-1)?.messages ?? []).filter(({ role }) => role === 'user').map(textOf),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

function textOf(message: SentMessage | undefined): string {
  const content = message?.content ?? ''
  if (typeof content === 'string') return content
  return (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('')
}

function send(response: ServerResponse, { text = '', calls = {}, status = 200, hangs = false }: Reply): void {
  if (status !== 200) {
    response.writeHead(status, { 'content-type': 'application/json' })
    return void response.end(JSON.stringify({ error: { message: text, type: 'error' } }))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  // Two parts, as they would arrive.
  for (const part of [text.slice(0, 3), text.slice(3)]) if (part !== '') event(response, { content: part })
  const named = Object.entries(calls)
  for (const [index, [name, args]] of named.entries())
    event(response, { tool_calls: [{ index, ...call(name, args) }] })
  if (hangs) return
  event(response, {}, named.length > 0 ? 'tool_calls' : 'stop')
  response.end('data: [DONE]\n\n')
}

function call(name: string, args: object): object {
  return { id: randomUUID(), type: 'function', function: { name, arguments: JSON.stringify(args) } }
}

function event(response: ServerResponse, delta: object, finish: string | null = null): void {
  const choices = [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: finish }]
  const usage = finish === null ? {} : { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }
  response.write(
    `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 0, model: 'scripted', choices, ...usage })}\n\n`,
  )
}
