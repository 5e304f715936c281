import type { Command } from '../command.ts'
import { agentHelp, agentOptions, answerHelp } from './agent-options.ts'

export const agentCommand: Command = {
  name: 'agent',
  summary: 'Give a task to a model that can use the tools',
  usage: [
    'Usage: toolbridge agent <task> [--name <agent>] [--max-turns <n>] [--format json [--pretty]]',
    '',
    'Like ask, with instructions for tasks of several steps. Shows every call on stderr.',
    '',
    '  --name <agent>              react: think, act, look at the result, until the task is done. Default: react',
    '',
    ...agentHelp,
    '',
    ...answerHelp,
    '',
    'Examples:',
    '  toolbridge agent "Rename the three oldest notes by their titles." --max-turns 30',
    '  toolbridge agent --name react --tool docs.lookup "What changed in version 2?"',
    '',
    'Exit status: as of toolbridge ask.',
  ].join('\n'),
  maxArguments: Infinity,
  options: { ...agentOptions, name: { type: 'string' }, 'tool-results': { type: 'boolean' } },
  load: async () => (await import('../actions/agent.ts')).runTask,
}
