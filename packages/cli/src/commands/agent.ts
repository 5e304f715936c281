import type { Command } from '../command.ts'
import { answerCommand } from './agent-options.ts'

export const agentCommand: Command = answerCommand({
  name: 'agent',
  summary: 'Give a task to a model that can use the tools',
  usage: [
    'Usage: toolbridge agent <task> [--name <agent>] [--max-turns <n>] [--format json [--pretty]]',
    '',
    'Like ask, with instructions for tasks of several steps. Shows every call on stderr.',
    '',
    '  --name <agent>              react: think, act, look at the result, until the task is done. Default: react',
  ],
  examples: [
    '  toolbridge agent "Rename the three oldest notes by their titles." --max-turns 30',
    '  toolbridge agent --name react --tool docs.lookup "What changed in version 2?"',
  ],
  options: { name: { type: 'string' } },
  load: async () => (await import('../actions/agent.ts')).runTask,
})
