import type { Invocation } from '../command.ts'
import { ExitCode } from '../exit-code.ts'
import { print, printError } from '../terminal.ts'
import { dataFolder } from '../data-folder.ts'

export async function printAddress({ options, terminal }: Invocation): Promise<ExitCode> {
  const folder = dataFolder(options, terminal)
  const { requestSignInUrl } = await import('@toolbridge/gateway')
  const address = await requestSignInUrl(folder, { signal: terminal.signal })
  if (address === undefined) {
    printError(terminal, `toolbridge: no gateway is running on ${folder}. Start one with: toolbridge serve`)
    return ExitCode.Link
  }
  print(terminal, `Open ${address}`)
  return ExitCode.Ok
}
