import {
  ClientNotificationSchema,
  ClientRequestSchema,
  CreateMessageResultWithToolsSchema,
  ElicitResultSchema,
  EmptyResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCMessageSchema,
  ListRootsResultSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { check, type Schema, type Spoken } from './spoken.ts'

/** Returns the errors in the client's messages of a legacy conversation; empty if the schemas accept all of them. */
export function legacyMistakes(conversation: readonly Spoken[]): readonly string[] {
  const asked = new Map<unknown, string>()
  return conversation.flatMap(({ by, message }) => {
    if (by === 'client') return mistakesIn(message, asked)
    if (typeof message['method'] === 'string' && 'id' in message) asked.set(message['id'], message['method'])
    return []
  })
}

const answerSchemas: Readonly<Record<string, Schema>> = {
  ping: EmptyResultSchema,
  'elicitation/create': ElicitResultSchema,
  'sampling/createMessage': CreateMessageResultWithToolsSchema,
  'roots/list': ListRootsResultSchema,
}

function mistakesIn(message: Spoken['message'], asked: ReadonlyMap<unknown, string>): readonly string[] {
  const { id, method, params, result } = message
  const envelope = check(JSONRPCMessageSchema, message, message)
  if (typeof method !== 'string') return [...envelope, ...answerMistakes(message, asked.get(id), result)]
  const schema = id === undefined ? ClientNotificationSchema : ClientRequestSchema
  return [...envelope, ...check(schema, { method, params }, message)]
}

function answerMistakes(
  message: Spoken['message'],
  method: string | undefined,
  result: unknown,
): readonly string[] {
  if (method === undefined) return [`an answer to nothing: ${JSON.stringify(message)}`]
  if ('error' in message) return check(JSONRPCErrorResponseSchema, message, message)
  const schema = answerSchemas[method]
  return schema === undefined
    ? [`a result for ${method}, which no client has`]
    : check(schema, result, message)
}
