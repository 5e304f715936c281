import type { Command } from '../command.ts'

export const loginCommand: Command = {
  name: 'login',
  summary: 'Sign in to a gateway of your organization',
  usage: [
    'Usage: toolbridge login <gateway> [--no-browser]',
    '       toolbridge login',
    '',
    'Opens the browser and waits for the sign-in at the issuer of the gateway. Without a browser it prints the URL: open it on any',
    'machine, sign in, and paste the URL the browser ended at. The sign-in is stored in a file that only you can read and expires after',
    'twelve hours. It is used by keys --gateway <gateway> and by every command with --http <gateway>/mcp.',
    'Without a gateway, lists where you have signed in.',
    'Exit status: 0 done, 2 the gateway has no such sign-in or refused you, 3 the gateway or the issuer does not respond.',
    '',
    'Example:',
    '  toolbridge login https://tools.example',
  ].join('\n'),
  maxArguments: 1,
  options: { 'no-browser': { type: 'boolean' } },
  load: async () => (await import('../actions/login.ts')).runLogin,
}

export const logoutCommand: Command = {
  name: 'logout',
  summary: 'Sign out of a gateway',
  usage: [
    'Usage: toolbridge logout <gateway> [--everywhere]',
    '',
    'Revokes and deletes the sign-in of toolbridge login.',
    'Exit status: 0 done, 3 the gateway does not respond: the sign-in is deleted here, and the gateway accepts it until it expires.',
    '',
    '  --everywhere  also end all other sign-ins: browsers, MCP hosts with tokens of the issuer, other machines. API keys stay',
  ].join('\n'),
  maxArguments: 1,
  options: { everywhere: { type: 'boolean' } },
  load: async () => (await import('../actions/login.ts')).runLogout,
}
