import { type Invocation, textOption } from '../../command.ts'
import type { ExitCode } from '../../exit-code.ts'
import { definedServer } from '../../servers/defined-server.ts'
import { requireUrl } from '../../servers/typed-servers.ts'
import { UsageError } from '../../usage-error.ts'
import { plannedServer, writeServer } from './write-server.ts'

/** Adds what the command line says, without a question. */
export async function addServer(invocation: Invocation): Promise<ExitCode> {
  const { positionals, options } = invocation
  const [name, ...words] = positionals
  if (name === undefined) throw new UsageError('missing name. See: toolbridge config add --help')
  const url = textOption(options, 'url')
  if (words.length === 0 && url === undefined)
    throw new UsageError('missing command or URL: give -- <command> or --url <url>')
  if (url !== undefined) requireUrl(url, 'url')
  const server = definedServer(name, { words, ...(url === undefined ? {} : { url }) }, options)
  return writeServer(invocation, await plannedServer(invocation, server))
}
