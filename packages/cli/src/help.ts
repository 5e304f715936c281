import type { Command } from './command.ts'
import { ExitCode, exitMeanings } from './exit-code.ts'

/** Commands with the same purpose, for the overview. */
export interface CommandGroup {
  readonly title: string
  readonly commands: readonly Command[]
}

export function overview(groups: readonly CommandGroup[]): string {
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => name.length)))
  return [
    'toolbridge: the bridge between agents and MCP servers',
    '',
    'Usage: toolbridge [--mcp <file>] <command> [options]',
    ...groups.flatMap(({ title, commands }) => [
      '',
      `${title}:`,
      ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
    ]),
    '',
    'Start here:',
    '  toolbridge config list                         the servers that your MCP hosts have',
    '  toolbridge tools --stdio "npx -y some-server"  try a server without a configuration',
    '  toolbridge add files -- npx -y some-server .   add a server to this project',
    '  toolbridge doctor                              check everything, and say how to solve each problem',
    '',
    'The configuration is the file of --mcp <file> or TOOLBRIDGE_MCP_FILE (environment or .env). Otherwise all of these files,',
    'merged by name: .toolbridge/mcp.json and the files of other hosts in this project, such as .mcp.json and .vscode/mcp.json,',
    'then ~/.toolbridge/mcp.json. --discover adds your files of other hosts. The format of a file is detected by its path and',
    'content; --dialect names it where that is ambiguous.',
    '',
    'Exit status:',
    ...Object.values(ExitCode).map((code) => `  ${String(code).padEnd(3)}  ${exitMeanings[code]}`),
    '',
    'See toolbridge <command> --help for details. toolbridge --version prints the version.',
  ].join('\n')
}

export async function commandHelp({ summary, usage }: Command): Promise<string> {
  return `${summary}\n\n${typeof usage === 'string' ? usage : await usage()}`
}
