import { editConfigFile } from '@toolbridge/bridge/config'
import { printable } from '@toolbridge/client/internal'
import type { Invocation } from '../../command.ts'
import { ExitCode } from '../../exit-code.ts'
import { print } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { editOptions, targetFile } from './target.ts'

export async function removeServers({ positionals, options, terminal }: Invocation): Promise<ExitCode> {
  if (positionals.length === 0) throw new UsageError('missing server. See: toolbridge config list')
  const { file } = await targetFile(terminal, options)
  const changes = positionals.map((name) => ({ kind: 'remove', name }) as const)
  await editConfigFile(file, changes, editOptions(terminal, options))
  const names = positionals.map((name) => `"${name}"`).join(', ')
  print(terminal, printable(`removed ${names} from ${file}`))
  return ExitCode.Ok
}
