import type { Command } from '../command.ts'
import { agentHelp, agentOptions, exitHelp } from './agent-options.ts'

const { format: _format, pretty: _pretty, ...options } = agentOptions

export const chatCommand: Command = {
  name: 'chat',
  summary: 'Talk with a model that can use the tools',
  usage: [
    'Usage: toolbridge chat [<message>] [--model <provider/model>] [--tool <tool>]…',
    '',
    'A conversation with a model, which calls tools of the configured servers. Works without servers too. /help lists the commands of',
    'a chat, Ctrl-C cancels an answer, Ctrl-D leaves. A line that ends in \\ continues, and lines between two lines of """ are one',
    'message. Without a terminal each line of the standard input is a message.',
    '',
    ...agentHelp,
    '',
    'Output:',
    '  --stream                    print the answer as it arrives. Default at a terminal',
    '',
    'Examples:',
    '  toolbridge chat --model anthropic/claude-sonnet-4-5',
    '  toolbridge chat --model compatible/llama3.2 --base-url http://127.0.0.1:11434/v1 --tool docs.lookup',
    '  toolbridge --mcp mcp.json chat --allow "mcp://files/read_*" < questions.txt',
    '',
    `${exitHelp} Without a terminal, that of the first message without an answer.`,
  ].join('\n'),
  maxArguments: Infinity,
  options,
  unknownOption: (option) =>
    option === '--format' || option === '--pretty'
      ? 'A chat has no single result. For JSON, use: toolbridge ask <question> --format json'
      : '',
  load: async () => (await import('../actions/chat.ts')).runChat,
}
