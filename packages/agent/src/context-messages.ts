import type { Bridge, ServerRequestOptions } from '@toolbridge/bridge'
import { aiSdkMessages } from '@toolbridge/bridge/ai-sdk'
import type { GetPromptResult } from '@toolbridge/client'
import type { ModelMessage } from 'ai'

/** Gets the messages of a prompt of a server. Untrusted text. */
export async function promptMessages(
  bridge: Bridge,
  server: string,
  name: string,
  args: Readonly<Record<string, string>> = {},
  options: ServerRequestOptions = {},
): Promise<readonly ModelMessage[]> {
  return aiSdkMessages(await bridge.prompts.get(server, name, args, options))
}

/** Reads a resource of a server as messages, one for each of its contents. Untrusted text. */
export async function resourceMessages(
  bridge: Bridge,
  server: string,
  uri: string,
  options: ServerRequestOptions = {},
): Promise<readonly ModelMessage[]> {
  const { contents } = await bridge.resources.read(server, uri, options)
  return aiSdkMessages({ messages: contents.map((resource) => messageOf(resource)) })
}

type PromptMessage = GetPromptResult['messages'][number]

function messageOf(
  resource: Extract<PromptMessage['content'], { type: 'resource' }>['resource'],
): PromptMessage {
  return { role: 'user', content: { type: 'resource', resource } }
}
