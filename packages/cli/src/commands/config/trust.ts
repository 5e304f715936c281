import { type Command, formatOptions } from '../../command.ts'

export const trustCommand: Command = {
  name: 'config trust',
  summary: 'Trust servers defined by the project, or revoke the trust',
  usage: [
    'Usage: toolbridge config trust [<name> …] [--yes | --forget] [--format json [--pretty]]',
    '',
    'A project can name any program, so its servers start only after you trusted exactly that entry of that file. Shows',
    'each entry and asks; a changed entry has to be trusted again. Default: all servers that need trust, of every',
    'file of the project. Without a terminal, and in CI, values that may be secrets are printed as ….',
    'Exit status: 0 all are trusted, 4 not all are, or there is no terminal to ask at.',
    '',
    '  --yes      trust without asking, for scripts that have checked the file',
    '  --forget   revoke the trust',
    '',
    'Examples:',
    '  toolbridge config trust files',
    '  toolbridge config trust files --forget',
  ].join('\n'),
  maxArguments: Infinity,
  options: { ...formatOptions, yes: { type: 'boolean' }, forget: { type: 'boolean' } },
  load: async () => (await import('../../actions/config/trust.ts')).trustServers,
}
