import { type Command, discoverOption, formatOptions } from '../../command.ts'

export const trustCommand: Command = {
  name: 'config trust',
  summary: 'Agree to servers that came with the project, or take that back',
  usage: [
    'Usage: toolbridge config trust [<name> …] [--yes | --forget] [--discover] [--format json [--pretty]]',
    '',
    'A project can name any program, so its servers start only after somebody agreed to exactly that entry of that file.',
    'Shows each entry as it is and asks; a change of the entry asks again. Without names it is about all that need it.',
    'Exit status: 0 all are trusted, 4 not all are, or there is no terminal to ask at.',
    '',
    '  --yes        agree without a question, for scripts that have read the file',
    '  --forget     take it back',
    '  --discover   also servers in the files of other hosts',
    '',
    'Examples:',
    '  toolbridge config trust files',
    '  toolbridge config trust files --forget',
  ].join('\n'),
  maxArguments: Infinity,
  options: { ...formatOptions, ...discoverOption, yes: { type: 'boolean' }, forget: { type: 'boolean' } },
  load: async () => (await import('../../actions/config/trust.ts')).trustServers,
}
