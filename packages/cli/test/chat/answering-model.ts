import { type ModelTurn, type ScriptedModel, scriptedModel } from '@toolbridge/testkit/models'

/** A message of a request, in the form of OpenAI's chat completions. */
interface SentMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

/** Starts a model that replies to the last message, be it of the user or of a tool. */
export function answeringModel(reply: (asked: string) => ModelTurn): Promise<ScriptedModel> {
  return scriptedModel({
    shape: 'compatible',
    turns: ({ body }) => reply(textOf(messagesOf(body).at(-1))),
  })
}

/** The messages of the last request. */
export function lastMessages({ requests }: ScriptedModel): readonly SentMessage[] {
  return messagesOf(requests.at(-1)?.body ?? {})
}

/** Texts of the user's messages in the last request, in order. */
export function lastAsked(model: ScriptedModel): readonly string[] {
  return lastMessages(model)
    .filter(({ role }) => role === 'user')
    .map(textOf)
}

function messagesOf(body: Readonly<Record<string, unknown>>): readonly SentMessage[] {
  return (body['messages'] ?? []) as readonly SentMessage[]
}

function textOf(message: SentMessage | undefined): string {
  const content = message?.content ?? ''
  if (typeof content === 'string') return content
  return (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('')
}
