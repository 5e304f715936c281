import type { Command } from '../command.ts'
import { agentHelp, agentOptions } from './agent-options.ts'

export const askCommand: Command = {
  name: 'ask',
  summary: 'Ask a model that can use the tools',
  usage: [
    'Usage: toolbridge ask <question> [--model <provider/model>] [--tool <tool>]… [--format json [--pretty]]',
    '',
    'Asks a model, which calls tools of the configured servers until it has an answer. Works without servers too.',
    'A - stands for the standard input. Every call needs your approval unless a rule or --yes gives it.',
    'The key of the provider is taken from the environment, such as OPENAI_API_KEY.',
    '',
    ...agentHelp,
    '',
    'Examples:',
    '  toolbridge ask "Which of my notes mention Ada?" --model anthropic/claude-sonnet-4-5',
    '  toolbridge ask "Greet Ada." --model compatible/llama3.2 --base-url http://127.0.0.1:11434/v1 --tool hello.hello',
    '  git diff | toolbridge ask "Review this change." - --format json',
  ].join('\n'),
  maxArguments: Infinity,
  options: { ...agentOptions, 'tool-results': { type: 'boolean' } },
  load: async () => (await import('../actions/ask.ts')).ask,
}
