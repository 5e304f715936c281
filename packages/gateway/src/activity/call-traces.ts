import type { ActivityQuestion, ShownJson } from '@toolbridge/api'
import type { BridgeEvent, EndedCall } from '@toolbridge/bridge'

/** What is kept of a call beside its entry. */
export interface CallTrace {
  readonly rawName: string
  readonly permission?: { readonly verdict: 'allow' | 'deny'; readonly reason: string }
  readonly questions: readonly ActivityQuestion[]
  readonly arguments?: ShownJson
  readonly result?: ShownJson
}

/** Collects the traces of the calls that are running. */
export interface CallTraces {
  /** Takes an event of a bridge. */
  observe(event: BridgeEvent): void
  /** Takes the arguments and the result of a call. */
  ended(call: EndedCall): void
  /** Returns the trace of a call and forgets it. */
  take(callId: string): CallTrace | undefined
}

interface OpenTrace extends CallTrace {
  readonly questions: OpenQuestion[]
}

type OpenQuestion = ActivityQuestion & { readonly id: string }

/** Creates an empty collection. */
export function createCallTraces(): CallTraces {
  const traces = new Map<string, OpenTrace>()
  const asking = new Map<string, string>()
  const change = (callId: string, changes: Partial<OpenTrace>): void => {
    const trace = traces.get(callId)
    if (trace !== undefined) traces.set(callId, { ...trace, ...changes })
  }

  function ask({
    questionId: id,
    kind,
    callId = '',
    at,
  }: Extract<BridgeEvent, { type: 'question.asked' }>): void {
    const questions = traces.get(callId)?.questions
    if (questions === undefined) return
    asking.set(id, callId)
    questions.push({ id, kind, askedAt: at.toISOString() })
  }

  function answer({ questionId, action, at }: Extract<BridgeEvent, { type: 'question.answered' }>): void {
    const questions = traces.get(asking.get(questionId) ?? '')?.questions ?? []
    asking.delete(questionId)
    const index = questions.findIndex(({ id }) => id === questionId)
    const question = questions[index]
    if (question !== undefined) questions[index] = { ...question, answeredAt: at.toISOString(), action }
  }

  return {
    observe(event) {
      if (event.type === 'call.started') traces.set(event.callId, { rawName: event.rawName, questions: [] })
      if (event.type === 'permission.decided')
        change(event.callId, { permission: { verdict: event.verdict, reason: event.reason } })
      if (event.type === 'question.asked') ask(event)
      if (event.type === 'question.answered') answer(event)
    },
    ended({ callId, arguments: args, result, redact }) {
      change(callId, {
        arguments: shownJson(args, redact),
        ...(result === undefined ? {} : { result: shownJson(result, redact) }),
      })
    },
    take(callId) {
      const trace = traces.get(callId)
      traces.delete(callId)
      if (trace === undefined) return undefined
      for (const { id } of trace.questions) asking.delete(id)
      return { ...trace, questions: trace.questions.map(({ id: _id, ...question }) => question) }
    },
  }
}

/** The log keeps a thousand calls of each owner and opens them all to search them. */
const maxLength = 4_096

/** Shortens texts first, so that a large result costs little. */
function shownJson(value: unknown, redact: (text: string) => string): ShownJson {
  let omitted = 0
  const written = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'string' || part.length <= maxLength) return part
    omitted += part.length - maxLength
    return part.slice(0, maxLength)
  })
  const text = redact(written)
  return { text: text.slice(0, maxLength), omitted: omitted + Math.max(0, text.length - maxLength) }
}
