import type { Command } from '../command.ts'
import { answerCommand } from './agent-options.ts'

export const askCommand: Command = answerCommand({
  name: 'ask',
  summary: 'Ask a model that can use the tools',
  usage: [
    'Usage: toolbridge ask <question> [--model <provider/model>] [--tool <tool>]… [--format json [--pretty]]',
    '',
    'Asks a model, which calls tools of the configured servers until it has an answer. Works without servers too.',
    'A - stands for the standard input. Calls are shown on stderr at a terminal.',
  ],
  examples: [
    '  toolbridge ask "Which of my notes mention Ada?" --model anthropic/claude-sonnet-4-5',
    '  toolbridge ask "Greet Ada." --model compatible/llama3.2 --base-url http://127.0.0.1:11434/v1 --tool hello.hello',
    '  toolbridge ask "What is new?" --allow "mcp://docs/*" --deny "mcp://docs/delete_*"',
    '  git diff | toolbridge ask "Review this change." - --format json',
  ],
  load: async () => (await import('../actions/ask.ts')).ask,
})
