import type { ElicitResult, ServerContext } from '@modelcontextprotocol/server'
import type { Answer, Answerer, FormQuestion } from '@toolbridge/bridge'

/** A person needs longer than a program; after this the question counts as dismissed. */
const answerTimeoutMs = 60 * 60_000

/**
 * Brings a server's forms to the MCP host whose call led to them, on that call's own stream. Approvals go elsewhere: a
 * host that wants a call made must not be the one to allow it. So does what comes too late for the stream.
 */
export function elicitingAnswerer(context: ServerContext, others: Answerer): Answerer {
  return {
    ...(others.kinds === undefined ? {} : { kinds: ['form', ...others.kinds] }),
    ask: (question, { signal }) =>
      question.kind === 'form'
        ? askHost(context, question, signal).catch((error: unknown) => {
            if (signal.aborted) throw error
            return others.ask(question, { signal })
          })
        : others.ask(question, { signal }),
  }
}

async function askHost(context: ServerContext, question: FormQuestion, signal: AbortSignal): Promise<Answer> {
  const params = {
    mode: 'form',
    // The host shows the gateway as the asking server: only the text can say who really asks.
    message: `${question.server}: ${question.message}`,
    requestedSchema: question.schema,
  }
  const result = await context.mcpReq.send(
    { method: 'elicitation/create', params },
    { signal, timeout: answerTimeoutMs },
  )
  return answerIn(result)
}

function answerIn({ action, content }: ElicitResult): Answer {
  return action === 'accept' && content !== undefined ? { action, content } : { action }
}
