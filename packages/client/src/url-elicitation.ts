import { firstWilling } from './incoming-requests.ts'
import { isJsonObject } from './json.ts'
import type { IncomingRequestHandler } from './transport.ts'

/**
 * Has a person led to each address that a refused request names, one after the other. False when there is none, or when
 * the person does not want to go.
 */
export async function followUrls(
  data: unknown,
  handlers: readonly (IncomingRequestHandler | undefined)[],
  lifetime: AbortSignal,
  own: AbortSignal | undefined,
): Promise<boolean> {
  const { elicitations } = isJsonObject(data) ? data : {}
  if (!Array.isArray(elicitations) || elicitations.length === 0) return false
  const signal = AbortSignal.any(own === undefined ? [lifetime] : [own, lifetime])
  for (const elicitation of elicitations) {
    const asked = { mode: 'url', ...(isJsonObject(elicitation) ? elicitation : {}) }
    const answer = await firstWilling(handlers, 'elicitation/create', asked, signal)
    signal.throwIfAborted()
    if (!isJsonObject(answer) || answer['action'] !== 'accept') return false
  }
  return true
}
