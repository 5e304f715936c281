import { resolve } from 'node:path'
import { type Cassette, readCassette, replayServer } from '@toolbridge/bridge/cassette'
import { printable } from '@toolbridge/client/internal'
import type { Invocation } from '../command.ts'
import { ExitCode } from '../exit-code.ts'
import { serveLines } from '../serve-lines.ts'
import { printError, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function replay(invocation: Invocation): Promise<ExitCode> {
  const { positionals, options, terminal } = invocation
  const [file, named] = positionals
  if (file === undefined) throw new UsageError('missing cassette. See: toolbridge replay --help')
  const cassette = await openCassette(file, terminal)
  const server = named ?? onlyServer(cassette, file)
  if (options['drift'] === true) return (await import('./drift.ts')).showDrift(cassette, server, invocation)
  await serveLines(terminal, (send) => replayServer(cassette, send, { server }))
  return ExitCode.Ok
}

function onlyServer({ servers }: Cassette, file: string): string {
  const [only, ...others] = servers.map(({ name }) => name)
  if (only === undefined) throw new UsageError(`${file}: no server was recorded`)
  if (others.length === 0) return only
  const names = [only, ...others].join(', ')
  throw new UsageError(`${file} has several servers: ${names}. Name one: toolbridge replay ${file} ${only}`)
}

async function openCassette(file: string, terminal: Terminal): Promise<Cassette> {
  const cassette = await readCassette(resolve(terminal.cwd, file))
  if (cassette.isTruncated)
    printError(terminal, `toolbridge: ${printable(file)}: the last line is incomplete and was ignored`)
  return cassette
}
