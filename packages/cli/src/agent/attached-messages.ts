import { type ModelMessage, promptMessages, resourceMessages } from '@toolbridge/agent'
import type { Bridge } from '@toolbridge/bridge'
import { callArguments } from '../arguments/call-arguments.ts'
import { givenArguments } from '../arguments/given-arguments.ts'
import { promptSchema } from '../arguments/prompt-schema.ts'
import { findPrompt } from '../servers/server-items.ts'
import { serverOfResource } from '../servers/server-of-resource.ts'
import type { Terminal } from '../terminal.ts'

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
