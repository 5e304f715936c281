import { type ModelMessage, promptMessages, resourceMessages } from '@toolbridge/agent'
import type { Bridge } from '@toolbridge/bridge'
import { callArguments } from '../arguments/call-arguments.ts'
import { givenArguments } from '../arguments/given-arguments.ts'
import { promptSchema } from '../arguments/prompt-schema.ts'
import { type Invocation, textOption, textOptions } from '../command.ts'
import { findPrompt } from '../servers/server-items.ts'
import { serverOfResource } from '../servers/server-of-resource.ts'
import type { Terminal } from '../terminal.ts'
import type { Question } from './question.ts'

/** What a command line begins a conversation with: its resources, then its prompt, then its question. */
export async function openingMessages(
  bridge: Bridge,
  { options, terminal }: Invocation,
  { text, promptArguments }: Question,
): Promise<readonly ModelMessage[]> {
  const uris = textOptions(options, 'resource')
  const resources = await Promise.all(uris.map((uri) => attachedResource(bridge, uri, terminal)))
  const prompt = textOption(options, 'prompt')
  return [
    ...resources.flat(),
    ...(prompt === undefined ? [] : await attachedPrompt(bridge, prompt, promptArguments, terminal)),
    ...(text === '' ? [] : [{ role: 'user' as const, content: text }]),
  ]
}

/** The messages of a prompt of a server. `words` are its arguments, as `name=value`. */
export async function attachedPrompt(
  bridge: Bridge,
  name: string,
  words: readonly string[],
  terminal: Terminal,
): Promise<readonly ModelMessage[]> {
  const given = await givenArguments(words, undefined, terminal)
  const { server, definition } = await findPrompt(bridge, name, terminal)
  const args = callArguments(given, { name: definition.name, schema: promptSchema(definition) })
  const texts = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, String(value)]))
  return promptMessages(bridge, server, definition.name, texts, { signal: terminal.signal })
}

/** The contents of a resource of a server as messages. */
export async function attachedResource(
  bridge: Bridge,
  uri: string,
  terminal: Terminal,
): Promise<readonly ModelMessage[]> {
  const server = await serverOfResource(bridge, uri, terminal)
  return resourceMessages(bridge, server, uri, { signal: terminal.signal })
}
