import { type Command, formatOptions } from '../command.ts'

export const authCommand: Command = {
  name: 'auth',
  summary: 'Sign in to servers that want it, and out again',
  usage: [
    'Usage: toolbridge auth login <server> [--no-browser]',
    '       toolbridge auth logout <server>',
    '       toolbridge auth status [--format json [--pretty]]',
    '',
    'login opens the browser and waits for you to come back. Without a browser here it prints the address: open that',
    'anywhere, sign in, and paste the address that the browser ended at. The tokens are kept in files for you alone,',
    'are renewed by themselves, and serve every command that reaches the server.',
    'logout gives the tokens back and forgets them. status tells where you are signed in, without asking anybody.',
    'Exit status: 0 done, 2 no such server, 3 the sign-in failed, 4 a server of the project that nobody has trusted.',
    '',
    'Examples:',
    '  toolbridge auth login tickets',
    '  toolbridge --mcp .vscode/mcp.json auth status',
  ].join('\n'),
  maxArguments: 2,
  options: { ...formatOptions, 'no-browser': { type: 'boolean' } },
  load: async () => (await import('../actions/auth.ts')).runAuth,
}
