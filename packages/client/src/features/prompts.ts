import { isJsonObject } from '../jsonrpc/json.ts'
import { malformedError } from '../jsonrpc/jsonrpc.ts'
import type { GetPromptResult, Prompt } from '../model/prompt.ts'
import type { RequestOptions } from '../jsonrpc/transport.ts'
import { requireCapability } from './capabilities.ts'
import type { PagedList } from './pages.ts'
import type { Requester } from './requester.ts'

const PROMPTS: PagedList<Prompt> = {
  method: 'prompts/list',
  key: 'prompts',
  what: 'prompts',
  isItem: isPrompt,
}

/** Lists all prompts. */
export async function listPrompts(
  requester: Requester,
  options?: RequestOptions,
): Promise<readonly Prompt[]> {
  requireCapability(requester.server, 'prompts', 'prompts')
  return requester.list(PROMPTS, options)
}

/** Gets the messages of a prompt with its arguments filled in. Untrusted text. */
export async function getPrompt(
  requester: Requester,
  name: string,
  args: Readonly<Record<string, string>>,
  options?: RequestOptions,
): Promise<GetPromptResult> {
  requireCapability(requester.server, 'prompts', 'prompts')
  const result = await requester.request('prompts/get', { name, arguments: args }, options)
  if (isPromptResult(result)) return result
  throw malformedError('invalid answer to prompts/get: no valid list of messages')
}

function isPrompt(value: unknown): value is Prompt {
  return isJsonObject(value) && typeof value['name'] === 'string'
}

function isPromptResult(value: unknown): value is GetPromptResult {
  const messages = isJsonObject(value) ? value['messages'] : undefined
  return Array.isArray(messages) && messages.every(isMessage)
}

function isMessage(value: unknown): boolean {
  if (!isJsonObject(value) || !isJsonObject(value['content'])) return false
  return value['role'] === 'user' || value['role'] === 'assistant'
}
