import type { ElicitResult, Server, ServerContext } from '@modelcontextprotocol/server'
import type { Answer, Answerer } from '@toolbridge/bridge'
import type { FormQuestion } from '@toolbridge/bridge/questions'
import { wrapAnswerer } from '../inbox/wrap-answerer.ts'

const answerTimeoutMs = 60 * 60_000

/** Returns the answerer for a host of the legacy era: the host itself for forms if it can show them, else `fallback`. */
export function hostAnswerer(server: Server, context: ServerContext, fallback: Answerer): Answerer {
  const canElicit = server.getClientCapabilities()?.elicitation?.form !== undefined
  return canElicit ? elicitingAnswerer(context, fallback) : fallback
}

/**
 * Sends forms to the MCP host as `elicitation/create`, on the stream of the call that led to them. Everything else goes
 * to `fallback`: approvals, because a host must not approve its own calls, and forms that the host does not answer.
 */
function elicitingAnswerer(context: ServerContext, fallback: Answerer): Answerer {
  const ask: Answerer['ask'] = (question, { signal }) =>
    question.kind === 'form'
      ? elicit(context, formOf(question), signal).catch((error: unknown) => {
          if (signal.aborted) throw error
          return fallback.ask(question, { signal })
        })
      : fallback.ask(question, { signal })
  return { ...wrapAnswerer(fallback, ask, ['form']), channel: 'host' }
}

function formOf({ server, message, schema }: FormQuestion): Record<string, unknown> {
  // The host shows the gateway as the sender: only the text can name the server.
  return { mode: 'form', message: `${server}: ${message}`, requestedSchema: schema }
}

/** Asks the MCP host, on the stream of the request that led to the question. */
export async function elicit(
  context: ServerContext,
  params: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Answer> {
  const result = await context.mcpReq.send(
    { method: 'elicitation/create', params },
    { signal, timeout: answerTimeoutMs },
  )
  return answerIn(result)
}

function answerIn({ action, content }: ElicitResult): Answer {
  return action === 'accept' && content !== undefined ? { action, content } : { action }
}
