import type { AgentEvent, ModelMessage } from '@toolbridge/agent'
import { toText } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'

type Finished = Extract<AgentEvent, { readonly type: 'tool.finished' }>
type Called = Extract<AgentEvent, { readonly type: 'tool.called' }>

/**
 * What a model said and did in a turn, as messages. Needed only if the turn ends early: a conversation must have a result for every
 * call.
 */
export class TurnRecord {
  readonly #messages: ModelMessage[] = []
  #text = ''
  #calls: Called[] = []
  readonly #finished = new Map<string, Finished>()

  add(event: AgentEvent): void {
    if (event.type === 'step.started') this.#endStep()
    if (event.type === 'text') this.#text += event.text
    if (event.type === 'tool.called') this.#calls.push(event)
    if (event.type === 'tool.finished') this.#finished.set(event.callId, event)
  }

  /** The messages so far. Empty if the model has neither said nor done anything. */
  messages(): readonly ModelMessage[] {
    this.#endStep()
    return this.#messages
  }

  #endStep(): void {
    const calls = this.#calls
    const text = this.#text === '' ? [] : [{ type: 'text' as const, text: this.#text }]
    if (text.length + calls.length > 0)
      this.#messages.push({ role: 'assistant', content: [...text, ...calls.map(callPart)] })
    if (calls.length > 0)
      this.#messages.push({ role: 'tool', content: calls.map((call) => this.#resultPart(call)) })
    this.#text = ''
    this.#calls = []
  }

  #resultPart({ callId, tool }: Called): ResultPart {
    return {
      type: 'tool-result',
      toolCallId: callId,
      toolName: tool,
      output: outputOf(this.#finished.get(callId)),
    }
  }
}

type Content<Role extends ModelMessage['role']> = Exclude<
  Extract<ModelMessage, { readonly role: Role }>['content'],
  string
>[number]
type CallPart = Extract<Content<'assistant'>, { readonly type: 'tool-call' }>
type ResultPart = Extract<Content<'tool'>, { readonly type: 'tool-result' }>

function callPart({ callId, tool, input }: Called): CallPart {
  // Arguments that are not JSON arrive as text, which providers refuse.
  return { type: 'tool-call', toolCallId: callId, toolName: tool, input: isJsonObject(input) ? input : {} }
}

function outputOf(finished: Finished | undefined): ResultPart['output'] {
  if (finished === undefined)
    return { type: 'error-text', value: 'the call was cancelled; it may have had an effect' }
  const { error, result } = finished
  if (error !== undefined) return { type: 'error-text', value: error }
  const value = result === undefined ? '' : toText(result)
  return { type: result?.isError === true ? 'error-text' : 'text', value }
}
