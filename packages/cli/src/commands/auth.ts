import { type Command, formatOptions } from '../command.ts'

export const authCommand: Command = {
  name: 'auth',
  summary: 'Sign in to servers and sign out',
  usage: [
    'Usage: toolbridge auth login <server>|--http <url> [--no-browser]',
    '       toolbridge auth logout <server>|--http <url>',
    '       toolbridge auth status [--http <url>]… [--format json [--pretty]]',
    '',
    'login opens the browser and waits for the sign-in. Without a browser it prints the URL: open it on any machine, sign',
    'in, and paste the URL the browser ended at. Tokens are stored in files that only you can read, are refreshed',
    'automatically, and apply to every command that uses the server.',
    'logout revokes and deletes the tokens. status shows where you are signed in, without contacting a server.',
    '--http names a server that is in no configuration by its URL, as in toolbridge tools --http <url>.',
    'Exit status: 0 done, 2 unknown server, 3 sign-in failed, 4 server of the project not trusted.',
    '',
    'Examples:',
    '  toolbridge auth login tickets',
    '  toolbridge auth login --http https://mcp.example.com/mcp',
    '  toolbridge --mcp .vscode/mcp.json auth status',
  ].join('\n'),
  maxArguments: 2,
  options: {
    ...formatOptions,
    'no-browser': { type: 'boolean' },
    http: { type: 'string', multiple: true },
  },
  load: async () => (await import('../actions/auth.ts')).runAuth,
}
