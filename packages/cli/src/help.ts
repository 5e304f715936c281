import { readFileSync } from 'node:fs'
import type { Command } from './command.ts'

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length))
  return [
    'toolbridge: the bridge between agents and MCP servers',
    '',
    'Usage: toolbridge [--mcp <file>] <command> [options]',
    '',
    'Commands:',
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
    '',
    'The configuration is the first of: --mcp <file>, TOOLBRIDGE_MCP_FILE (environment or .env),',
    '.toolbridge/mcp.json in this folder. With --discover it is the files of every known host together.',
    '',
    'toolbridge <command> --help tells more; toolbridge --version tells the version.',
  ].join('\n')
}

export function commandHelp(command: Command): string {
  return `${command.summary}\n\n${command.usage}`
}

export function versionLine(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return `toolbridge ${manifest.version}`
}
