import { printable } from '@toolbridge/client/internal'
import type { Invocation } from '../command.ts'
import { ExitCode } from '../exit-code.ts'
import { outputTarget, saveAs } from '../display/save-media.ts'
import { clientText } from '../generate/client-text.ts'
import { failureCode, hasNotStarted } from '../server-failure.ts'
import { openSelected, reportFailures } from '../servers/selected-servers.ts'
import { printError } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function generateClient(invocation: Invocation): Promise<ExitCode> {
  const { terminal } = invocation
  const target = await outputTarget(invocation)
  if (target?.kind === 'folder')
    throw new UsageError(`"${target.path}" is a folder; name a file, such as tools.ts`)
  await using bridge = await openSelected(invocation)
  const failed = bridge.status().filter(hasNotStarted)
  reportFailures(failed, terminal)
  // A part of the tools would look like all of them.
  if (failed.length > 0) return failureCode(failed)
  const denied = bridge.deniedTools()
  const tools = bridge.tools.filter(({ name }) => !denied.has(name))
  if (denied.size > 0)
    printError(
      terminal,
      `toolbridge: left out tools that are denied: ${printable([...denied.keys()].join(', '))}`,
    )
  const text = clientText(tools)
  if (target === undefined) terminal.stdout.write(text)
  else await saveAs(target.path, text)
  if (target !== undefined) printError(terminal, `toolbridge: wrote ${tools.length} tools to ${target.path}`)
  return ExitCode.Ok
}
