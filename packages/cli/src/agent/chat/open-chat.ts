import { modelSampler } from '@toolbridge/agent'
import { keptAccounts } from '../../accounts.ts'
import { colorsFor } from '../../colors.ts'
import type { Invocation } from '../../command.ts'
import { typedServers } from '../../servers/typed-servers.ts'
import { StartedDefinitions } from '../../started-definitions.ts'
import { isStderrTty } from '../../terminal.ts'
import { timeoutsFrom } from '../../timeouts.ts'
import { trustStoreOf } from '../../trust.ts'
import { openAgentSession } from '../agent-session.ts'
import { EventPrinter } from '../event-printer.ts'
import type { SessionOutput } from '../session-output.ts'
import { Chat } from './chat.ts'
import { ChatApprovals } from './chat-approvals.ts'
import { ChatServers } from './chat-servers.ts'
import type { MessageReader } from './message-reader.ts'

/** Starts the servers for a chat. The caller disposes of it. */
export async function openChat(invocation: Invocation, reader: MessageReader): Promise<Chat> {
  const { options, terminal } = invocation
  const printer = printerFor(invocation)
  const definitions = new StartedDefinitions(trustStoreOf(terminal), timeoutsFrom(options))
  // Questions may come before there is a chat.
  const current: { chat?: Chat } = {}
  const session = await openAgentSession(invocation, sharing(printer, reader), {
    definitions,
    credentials: keptAccounts(terminal, typedServers(options)?.reading.servers).of,
    onAnswer: (question, answer) => current.chat?.approvals.note(question, answer),
    samplerOf: (first) => ({
      sample: (request, context) => modelSampler(current.chat?.model ?? first).sample(request, context),
    }),
  })
  const { bridge, rules, servers: written } = session
  const approvals = new ChatApprovals(bridge, rules)
  const servers = new ChatServers(invocation, bridge, definitions, approvals, written)
  current.chat = new Chat({ invocation, session, reader, printer, servers, approvals })
  return current.chat
}

function printerFor({ options, terminal }: Invocation): EventPrinter {
  return new EventPrinter(terminal, {
    colors: colorsFor(terminal, terminal.stderr),
    isStreamed: options['stream'] === true || terminal.stdout.isTTY === true,
    showsCalls: isStderrTty(terminal),
  })
}

/** The answer and the prompt make way for questions and messages. */
function sharing(printer: EventPrinter, reader: MessageReader): SessionOutput {
  return {
    endLine: () => {
      printer.endLine()
      reader.beforePrint()
    },
    pause: () => {
      const resumed = [printer.pause(), reader.pause()]
      return () => {
        for (const resume of resumed) resume()
      }
    },
  }
}
