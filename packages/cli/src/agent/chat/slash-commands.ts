import { printable } from '@toolbridge/client/internal'
import type { ExitCode } from '../../exit-code.ts'
import { describeTools, toolFilter } from '../../servers/tool-list.ts'
import { localPrincipal, modelGrantsOf } from '../../terminal-bridge.ts'
import { print, printError, type Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { describeReport } from '../../watch-configuration.ts'
import { modelFrom } from '../agent-session.ts'
import { attachedPrompt, attachedResource } from '../attached-messages.ts'
import type { Chat } from './chat.ts'

/** A command that is typed in a chat. */
export interface SlashCommand {
  /** What follows the name, for the help. */
  readonly usage: string
  readonly summary: string
  /** `argument` is what was typed after the name. Returns the exit status if it is not success. */
  run(chat: Chat, argument: string, terminal: Terminal): Promise<ExitCode | void>
}

/** The commands of a chat by name, without the slash. */
export const slashCommands: Readonly<Record<string, SlashCommand>> = {
  help: { usage: '', summary: 'list the commands', run: showHelp },
  tools: { usage: '[words]', summary: 'list the tools, or those that contain the words', run: showTools },
  servers: { usage: '', summary: 'list the servers and their states', run: showServers },
  reload: { usage: '', summary: 'read the configuration and the permission rules again', run: reload },
  approve: {
    usage: '[rule or tool]',
    summary:
      'approve what a rule such as mcp://files/read_* covers until the chat ends; list what is approved',
    run: approve,
  },
  model: { usage: '[provider/model]', summary: 'show the model, or use another one', run: switchModel },
  prompt: { usage: '<prompt> [name=value]…', summary: 'send a prompt of a server', run: sendPrompt },
  resource: {
    usage: '<uri>',
    summary: 'add a resource of a server to the next message',
    run: attachResource,
  },
  clear: { usage: '', summary: 'forget the conversation', run: clear },
  exit: { usage: '', summary: 'leave', run: async (chat) => chat.end() },
}

async function showHelp(_chat: Chat, _argument: string, terminal: Terminal): Promise<void> {
  const rows = Object.entries(slashCommands).map(
    ([name, { usage, summary }]) => [`/${name} ${usage}`.trim(), summary] as const,
  )
  const width = Math.max(...rows.map(([command]) => command.length))
  for (const [command, summary] of rows) print(terminal, `${command.padEnd(width)}  ${summary}`)
  print(terminal, 'End a line with \\ to continue it, or put lines between two lines of """.')
  print(
    terminal,
    'Ctrl-C cancels an answer. Ctrl-D leaves. What begins with a space is not kept in the history.',
  )
}

async function showTools({ bridge, tools: only }: Chat, argument: string, terminal: Terminal): Promise<void> {
  const matches = toolFilter(wordsOf(argument))
  const tools = bridge.tools.filter((tool) => (only?.includes(tool.name) ?? true) && matches(tool))
  if (tools.length === 0) return printError(terminal, 'toolbridge: no tools')
  for (const line of describeTools(tools, terminal, { denied: bridge.deniedTools() })) print(terminal, line)
}

async function showServers({ bridge }: Chat, _argument: string, terminal: Terminal): Promise<void> {
  const servers = bridge.status()
  if (servers.length === 0) return printError(terminal, 'toolbridge: no servers')
  for (const { name, state, toolCount, error = '' } of servers) {
    const tools = `${toolCount} ${toolCount === 1 ? 'tool' : 'tools'}`
    print(terminal, printable(`${name}  ${state}  ${tools}  ${error}`).trimEnd())
  }
}

async function reload({ servers }: Chat, _argument: string, terminal: Terminal): Promise<void> {
  try {
    const report = await servers.reload(terminal)
    printError(terminal, `toolbridge: reloaded the configuration: ${printable(describeReport(report))}`)
  } catch (error) {
    if (!terminal.signal.aborted)
      printError(terminal, 'toolbridge: the configuration was not reloaded; the previous one is in force')
    throw error
  }
}

async function approve({ approvals, invocation }: Chat, argument: string, terminal: Terminal): Promise<void> {
  if (argument !== '') {
    const { rule, tools } = await approvals.approve(argument)
    const covered = tools.length === 0 ? '' : ` (${tools.join(', ')})`
    return printError(terminal, printable(`toolbridge: approved until the chat ends: ${rule}${covered}`))
  }
  const grants = await modelGrantsOf(terminal).list(localPrincipal)
  const lines = [
    ...(invocation.options['yes'] === true ? ['every call that no rule denies  by --yes'] : []),
    ...(await approvals.lines()),
    ...grants.map(({ server, tool }) => `mcp://${server}/${tool}  from now on (toolbridge grants)`),
  ]
  if (lines.length === 0) printError(terminal, 'toolbridge: nothing is approved: every call is asked about')
  for (const line of lines) print(terminal, printable(line))
}

async function switchModel(chat: Chat, argument: string, terminal: Terminal): Promise<void> {
  if (argument !== '') chat.model = await modelFrom(withOwnAddress(chat, argument), argument)
  print(terminal, printable(chat.model.name))
}

/** `--base-url` is the address of the provider that the chat began with. The key of another one must not be sent there. */
function withOwnAddress({ invocation, firstModel }: Chat, name: string): Chat['invocation'] {
  const isSameProvider = name.split('/')[0] === firstModel.name.split('/')[0]
  return isSameProvider
    ? invocation
    : { ...invocation, options: { ...invocation.options, 'base-url': undefined } }
}

async function sendPrompt(chat: Chat, argument: string, terminal: Terminal): Promise<ExitCode | void> {
  const [name, ...words] = wordsOf(argument)
  if (name === undefined) throw new UsageError('missing prompt: /prompt <prompt> [name=value]…')
  if (words.some((word) => /^(?:-|@-|[^=]*=@-)$/.test(word)))
    throw new UsageError('the arguments of a prompt cannot be read from the standard input of a chat')
  const messages = await attachedPrompt(chat.bridge, name, words, terminal)
  if (messages.at(-1)?.role === 'user') return chat.answer(chat.conversation.asked(...messages), terminal)
  chat.conversation.attach(messages)
  printError(terminal, 'toolbridge: added to the next message')
}

async function attachResource(chat: Chat, argument: string, terminal: Terminal): Promise<void> {
  if (argument === '') throw new UsageError('missing URI: /resource <uri>')
  chat.conversation.attach(await attachedResource(chat.bridge, argument, terminal))
  printError(terminal, 'toolbridge: added to the next message')
}

async function clear({ conversation }: Chat, _argument: string, terminal: Terminal): Promise<void> {
  conversation.clear()
  printError(terminal, 'toolbridge: the conversation is empty')
}

/** The words of a line. Quotes group. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
