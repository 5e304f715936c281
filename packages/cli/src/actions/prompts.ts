import type { GetPromptResult, Prompt } from '@toolbridge/client'
import { defaultTextPolicy, textBy } from '@toolbridge/client/internal'
import { callArguments } from '../arguments/call-arguments.ts'
import type { Invocation } from '../command.ts'
import { didYouMean } from '../did-you-mean.ts'
import { printResult } from '../display/print-result.ts'
import type { ExitCode } from '../exit-code.ts'
import { givenArguments } from '../arguments/given-arguments.ts'
import { parametersOf, signatureOf } from '../arguments/parameters.ts'
import { promptSchema } from '../arguments/prompt-schema.ts'
import { listItems } from '../servers/list-items.ts'
import { withServers } from '../servers/selected-servers.ts'
import { findPrompt } from '../servers/server-items.ts'
import { printText, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function runPrompts(invocation: Invocation): Promise<ExitCode> {
  const [verb = 'list', ...words] = invocation.positionals
  if (verb === 'get') return getPrompt(invocation, words)
  if (verb === 'list' && words.length === 0) return listPrompts(invocation)
  const hint = didYouMean(verb, ['list', 'get'])
  const what =
    verb === 'list' ? `unexpected argument "${words[0]}".` : `unknown command "prompts ${verb}".${hint}`
  throw new UsageError(`${what} See: toolbridge prompts --help`)
}

function listPrompts(invocation: Invocation): Promise<ExitCode> {
  const { terminal } = invocation
  return listItems(invocation, {
    key: 'prompts',
    itemsOf: (bridge) => bridge.prompts.list(terminal),
    lineOf,
  })
}

function lineOf(prompt: Prompt): string {
  const parameters = parametersOf(promptSchema(prompt))
  return `${signatureOf(prompt.name, parameters)}  ${prompt.description ?? prompt.title ?? ''}`
}

async function getPrompt(invocation: Invocation, [name, ...words]: readonly string[]): Promise<ExitCode> {
  const { terminal } = invocation
  if (name === undefined) throw new UsageError('missing prompt. See: toolbridge prompts list')
  const given = await givenArguments(words, undefined, terminal)
  return withServers(invocation, async (bridge) => {
    const { server, definition } = await findPrompt(bridge, name, terminal)
    const args = callArguments(given, { name: definition.name, schema: promptSchema(definition) })
    const texts = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, String(value)]))
    const result = await bridge.prompts.get(server, definition.name, texts, { signal: terminal.signal })
    printResult(invocation, result, () => printMessages(result, terminal))
  })
}

function printMessages({ messages }: GetPromptResult, terminal: Terminal): void {
  for (const { role, content } of messages)
    printText(terminal, `${role}: ${textBy(defaultTextPolicy, { content: [content] })}`)
}
