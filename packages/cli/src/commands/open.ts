import type { Command, Invocation } from '../command.ts'
import { ExitCode } from '../exit-code.ts'
import { print, printError } from '../terminal.ts'
import { dataFolder } from './serve.ts'

export const openCommand: Command = {
  name: 'open',
  summary: 'Print a fresh address of the gateway that is running',
  usage: [
    'Usage: toolbridge open [--data <folder>]',
    '',
    'Asks the gateway that runs on the data folder for an address that signs in once, within ten minutes. Works for',
    'whoever may read that folder, on the machine the gateway runs on. Exit status: 0 printed, 3 no gateway answers.',
    '',
    '  --data   the folder that the gateway was started with (TOOLBRIDGE_DATA, else ~/.toolbridge)',
  ].join('\n'),
  options: { data: { type: 'string' } },
  run: printAddress,
}

async function printAddress({ options, terminal }: Invocation): Promise<ExitCode> {
  const folder = dataFolder(options, terminal)
  // Loaded here: the other commands need neither a web server nor a database.
  const { requestSignInUrl } = await import('@toolbridge/gateway')
  const address = await requestSignInUrl(folder, { signal: terminal.signal })
  if (address === undefined) {
    printError(terminal, `toolbridge: no gateway answers for ${folder}. Start one with: toolbridge serve`)
    return ExitCode.Link
  }
  print(terminal, `Open ${address}`)
  return ExitCode.Ok
}
