import { editConfigFile } from '@toolbridge/bridge'
import type { Command, Invocation } from '../../command.ts'
import { ExitCode } from '../../exit-code.ts'
import { print, printable } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { targetFile, targetHelp, targetOptions } from './target.ts'

export const removeCommand: Command = {
  name: 'config remove',
  summary: 'Remove servers from a configuration file',
  usage: [
    'Usage: toolbridge config remove <name> … [--user]',
    '',
    'Takes out all of the named servers, or none. Comments around them stay.',
    ...targetHelp,
    '',
    'Examples:',
    '  toolbridge config remove files',
    '  toolbridge --mcp .cursor/mcp.json config remove files search',
  ].join('\n'),
  words: Infinity,
  options: targetOptions,
  run: remove,
}

async function remove({ positionals, options, terminal }: Invocation): Promise<ExitCode> {
  if (positionals.length === 0) throw new UsageError('which server? See: toolbridge config list')
  const file = await targetFile(terminal, options)
  const changes = positionals.map((name) => ({ kind: 'remove', name }) as const)
  const { signal, cwd: workspaceFolder } = terminal
  await editConfigFile(file, changes, { signal, workspaceFolder })
  const names = positionals.map((name) => `"${name}"`).join(', ')
  print(terminal, printable(`removed ${names} from ${file}`))
  return ExitCode.Ok
}
