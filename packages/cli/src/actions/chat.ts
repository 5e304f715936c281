import type { ModelMessage } from '@toolbridge/agent'
import { printable } from '@toolbridge/client/internal'
import { openingMessages } from '../agent/attached-messages.ts'
import type { Chat } from '../agent/chat/chat.ts'
import { ChatHistory } from '../agent/chat/chat-history.ts'
import type { MessageReader } from '../agent/chat/message-reader.ts'
import { openChat } from '../agent/chat/open-chat.ts'
import { PromptReader } from '../agent/chat/prompt-reader.ts'
import { ScriptReader } from '../agent/chat/script-reader.ts'
import { questionWords } from '../agent/question.ts'
import { colorsFor } from '../colors.ts'
import type { Invocation } from '../command.ts'
import { counted } from '../display/counted.ts'
import type { ExitCode } from '../exit-code.ts'
import { runningServers } from '../servers/selected-servers.ts'
import { isInteractive, printError, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function runChat(invocation: Invocation): Promise<ExitCode> {
  const { terminal } = invocation
  const reader = await readerFor(terminal)
  await using chat = await openChat(invocation, reader)
  const first = await firstMessages(chat)
  if (isInteractive(terminal)) greet(chat, terminal)
  return await chat.run(first)
}

async function readerFor(terminal: Terminal): Promise<MessageReader> {
  if (!isInteractive(terminal)) return new ScriptReader(terminal)
  const history = new ChatHistory(terminal)
  await history.load()
  return new PromptReader(terminal, history)
}

/** Returns what the command line asks. If it asks nothing, its resources are part of the first message that is typed. */
async function firstMessages({ bridge, conversation, invocation }: Chat): Promise<readonly ModelMessage[]> {
  const { words, promptArguments } = questionWords(invocation)
  if (words.includes('-')) throw new UsageError('a chat reads the standard input anyway: remove "-"')
  const text = words.join(' ')
  const messages = await openingMessages(bridge, invocation, { text, promptArguments })
  const isQuestion = text !== '' || invocation.options['prompt'] !== undefined
  if (isQuestion && messages.at(-1)?.role === 'user') return messages
  conversation.attach(messages)
  return []
}

function greet({ bridge, model, tools }: Chat, terminal: Terminal): void {
  const servers = runningServers(bridge).length
  const what = `${counted((tools ?? bridge.tools).length, 'tool')} of ${counted(servers, 'server')}`
  const { dim } = colorsFor(terminal, terminal.stderr)
  printError(terminal, dim(`${printable(model.name)}, ${what}. /help lists the commands, Ctrl-D leaves.`))
}
