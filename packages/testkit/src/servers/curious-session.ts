/** The fields of a JSON-RPC message that this server uses. */
export interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number }
}

export type Send = (message: object) => void

type Params = Readonly<Record<string, unknown>>

const modernVersion = '2026-07-28'

const tools = ['ask', 'can_ask', 'ask_anyway'].map((name) => ({ name, inputSchema: { type: 'object' } }))

/**
 * A session with a server that asks questions at any time. The tool `ask` takes a `token`, which is the text of its
 * question, and `when`: `during` the call, on its stream; `elsewhere`, during the call but on the session's stream;
 * `late`, after the response; `after-cancel`, after the call was cancelled. A server without a handshake can only ask in
 * results. `can_ask` returns whether the client declared elicitation; `ask_anyway` asks regardless and returns the
 * outcome. A progress notification reports the arrival of `ask`. Hand-written, because it has to start quickly.
 */
export class CuriousSession {
  readonly #isModern: boolean
  readonly #send: Send
  readonly #answers = new Map<string, (answer: Message) => void>()
  readonly #cancellable = new Map<unknown, string>()
  #canAsk = false
  #asked = 0

  /** `send` sends messages outside the streams of calls. */
  constructor(era: 'legacy' | 'modern', send: Send) {
    this.#isModern = era === 'modern'
    this.#send = send
  }

  /** Handles a message of the client. `reply` sends on the stream of that message. */
  receive(message: Message, reply: Send): void {
    const { id, method, params = {} } = message
    if (method === undefined) return this.#answered(message)
    if (method === 'notifications/cancelled') return this.#cancelled(params)
    if (id === undefined) return
    const answer = (result: object): void => reply({ jsonrpc: '2.0', id, result })
    if (method === 'tools/call') return this.#call(id, params, reply, answer)
    const result = this.#describe(method, params)
    if (result !== undefined) return answer(result)
    reply({ jsonrpc: '2.0', id, error: { code: -32601, message: `there is no ${method}` } })
  }

  #describe(method: string, params: Params): object | undefined {
    const serverInfo = { name: 'curious', version: '1.0.0' }
    const capabilities = { tools: {} }
    if (method === 'tools/list') return { tools, resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
    if (this.#isModern) {
      const described = {
        supportedVersions: [modernVersion],
        capabilities,
        serverInfo,
        resultType: 'complete',
      }
      return method === 'server/discover' ? { ...described, ttlMs: 60_000, cacheScope: 'public' } : undefined
    }
    if (method === 'ping') return {}
    if (method !== 'initialize') return undefined
    this.#canAsk = declaresElicitation(params['capabilities'])
    return { protocolVersion: '2025-11-25', capabilities, serverInfo }
  }

  #call(id: unknown, params: Params, reply: Send, answer: (result: object) => void): void {
    const { name, arguments: given, _meta, inputResponses } = params
    const { token, when, delayMs } = asRecord(given)
    if (this.#isModern)
      this.#canAsk = declaresElicitation(asRecord(_meta)['io.modelcontextprotocol/clientCapabilities'])
    if (name === 'can_ask') return answer(text(this.#canAsk ? 'yes' : 'no'))
    if (name === 'ask_anyway') return this.#askAnyway(String(token), answer)
    if (this.#isModern) return answer(inResult(String(token), inputResponses))
    const { progressToken } = asRecord(_meta)
    if (progressToken !== undefined) reply(progress(progressToken))
    this.#askAsTold({ id, token: String(token), when, delayMs: Number(delayMs ?? 0), reply, answer })
  }

  /** A client without a handshake does not answer requests, so the server does not wait. */
  #askAnyway(token: string, answer: (result: object) => void): void {
    this.#ask(token, this.#send, this.#isModern ? () => {} : (said) => answer(text(said)))
    if (this.#isModern) answer(text('asked'))
  }

  #askAsTold(call: {
    readonly id: unknown
    readonly token: string
    readonly when: unknown
    readonly delayMs: number
    readonly reply: Send
    readonly answer: (result: object) => void
  }): void {
    const { id, token, when, delayMs, reply, answer } = call
    if (when === 'after-cancel') return void this.#cancellable.set(id, token)
    if (when === 'late') answer(text('later'))
    const stream = when === 'during' ? reply : this.#send
    const said = when === 'late' ? () => {} : (what: string): void => answer(text(what))
    setTimeout(() => this.#ask(token, stream, said), delayMs)
  }

  #cancelled({ requestId }: Params): void {
    const token = this.#cancellable.get(requestId)
    if (token !== undefined) this.#ask(token, this.#send, () => {})
    this.#cancellable.delete(requestId)
  }

  #ask(token: string, stream: Send, said: (what: string) => void): void {
    const id = `question ${++this.#asked}`
    this.#answers.set(id, ({ result, error }) => said(error ? `refused ${error.code}` : told(result)))
    stream({ jsonrpc: '2.0', id, method: 'elicitation/create', params: question(token) })
  }

  #answered(message: Message): void {
    this.#answers.get(String(message.id))?.(message)
    this.#answers.delete(String(message.id))
  }
}

function inResult(token: string, inputResponses: unknown): object {
  const answer = asRecord(inputResponses)['who']
  if (answer !== undefined) return text(told(asRecord(answer)))
  const inputRequests = { who: { method: 'elicitation/create', params: question(token) } }
  return { resultType: 'input_required', inputRequests }
}

function progress(progressToken: unknown): object {
  return { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } }
}

function question(token: string): object {
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  return { mode: 'form', message: token, requestedSchema }
}

function told(answer: Params | undefined): string {
  const { action, content } = answer ?? {}
  return action === 'accept' ? String(asRecord(content)['name']) : String(action)
}

function text(what: string): object {
  return { content: [{ type: 'text', text: what }], resultType: 'complete' }
}

function declaresElicitation(capabilities: unknown): boolean {
  return asRecord(capabilities)['elicitation'] !== undefined
}

function asRecord(value: unknown): Params {
  return typeof value === 'object' && value !== null ? (value as Params) : {}
}
