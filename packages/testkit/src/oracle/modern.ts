import { classifyInboundRequest, specTypeSchemas } from '@modelcontextprotocol/server'
import type { Spoken } from './spoken.ts'

/** Returns the errors in the client's messages of a modern conversation; empty if the SDK accepts all of them. */
export function modernMistakes(conversation: readonly Spoken[]): readonly string[] {
  return conversation.flatMap(({ by, message }) => {
    const mistake = by === 'client' ? mistakeIn(message) : undefined
    return mistake === undefined ? [] : [`${JSON.stringify(message)}: ${mistake}`]
  })
}

function mistakeIn(message: Spoken['message']): string | undefined {
  const { id, method, params } = message
  if (typeof method !== 'string') return 'the server has no requests that could be answered'
  if (id === undefined) return refusal('ClientNotification', { method, params })
  return (
    envelopeMistake(message) ??
    (isOfExtension(method) ? undefined : refusal('ClientRequest', { method, params }))
  )
}

/** Returns whether `_meta` of a request has everything that a server needs. */
function envelopeMistake(body: Spoken['message']): string | undefined {
  const outcome = classifyInboundRequest({ httpMethod: 'POST', body })
  if (outcome.kind === 'modern') return undefined
  return outcome.kind === 'reject'
    ? outcome.message
    : `taken for a request after a handshake: ${outcome.reason}`
}

function refusal(name: 'ClientNotification' | 'ClientRequest', value: object): string | undefined {
  const outcome = specTypeSchemas[name]['~standard'].validate(value)
  return 'issues' in outcome ? outcome.issues?.map((issue) => issue.message).join(', ') : undefined
}

/** The core schemas have tasks only in their form before the extension. */
function isOfExtension(method: string): boolean {
  return method.startsWith('tasks/')
}
