import { after, look, lookAt } from '@toolbridge/testkit/secrets'
import type { Answerer } from '../../../src/elicitation/question.ts'
import { OpenBridge } from '../../../src/open-bridge.ts'

/**
 * Looks for canaries in all that bridges tell: events, also of those to which nobody else listens, questions, errors and
 * states. Nothing is replaced: everything goes on to where it went before.
 */
export async function watchBridges(): Promise<void> {
  await watchEvents()
  await watchQuestions()
  after(OpenBridge.prototype, 'status', (status) => lookAt('states', withoutTools(status)))
  for (const name of ['apply', 'reload', 'retry'])
    after(OpenBridge.prototype, name, (result) =>
      settled(result, (told) => lookAt('states', withoutTools([told]))),
    )
  after(OpenBridge.prototype, 'call', (result) => settled(result, () => {}))
}

/** A result is whose call it was; an error may be anybody's. */
function settled(result: unknown, watch: (told: unknown) => void): void {
  if (result instanceof Promise) result.then(watch, (error: unknown) => lookAt('errors', error))
}

async function watchEvents(): Promise<void> {
  const stream = await import('../../../src/journal/sinks/event-stream.ts')
  const { eventStream } = stream
  const watched: typeof eventStream = ({ journal, ...others }, redaction) =>
    eventStream(
      {
        ...others,
        journal: (event) => {
          look('events', JSON.stringify(event))
          return journal?.(event)
        },
      },
      redaction,
    )
  Object.defineProperty(stream, 'eventStream', { get: () => watched })
}

/** Looks at questions as they reach the answerer. */
async function watchQuestions(): Promise<void> {
  const answerers = await import('../../../src/elicitation/redacting-answerer.ts')
  const { redactingAnswerer, redactingApprover } = answerers
  const watched: Pick<typeof answerers, 'redactingAnswerer' | 'redactingApprover'> = {
    redactingAnswerer: (answerer, redaction) => redactingAnswerer(watchedAnswerer(answerer), redaction),
    redactingApprover: ({ approver }, redaction) =>
      redactingApprover(approver === undefined ? {} : { approver: watchedAnswerer(approver) }, redaction),
  }
  for (const [name, value] of Object.entries(watched))
    Object.defineProperty(answerers, name, { get: () => value })
}

function watchedAnswerer(answerer: Answerer): Answerer {
  return {
    ...(answerer.kinds === undefined ? {} : { kinds: answerer.kinds }),
    ask: (question, options) => {
      look('questions', JSON.stringify(question))
      return answerer.ask(question, options)
    },
  }
}

/** Names of tools are what calls go by, so they are left as their servers give them. */
function withoutTools(status: unknown): readonly object[] {
  const servers: readonly object[] = Array.isArray(status) ? status : []
  return servers.map((server) => ({ ...server, tools: [] }))
}
