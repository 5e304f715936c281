import type { ServerSpec } from '@toolbridge/bridge/config'
import { type Options, textOption, textOptions } from '../command.ts'
import { UsageError } from '../usage-error.ts'
import { pairs, readEntries } from './typed-servers.ts'

/** How a server is started or reached. */
export interface TypedTarget {
  /** The program and its arguments; empty for a URL. */
  readonly words: readonly string[]
  readonly url?: string
}

/** The server that `toolbridge add` and `config add` define by their arguments and options. */
export function definedServer(name: string, { words, url }: TypedTarget, options: Options): ServerSpec {
  const [command, ...args] = words
  const entry = {
    type: textOption(options, 'type'),
    ...(command === undefined ? {} : { command, args }),
    url,
    ...pairs('env', textOptions(options, 'env')),
    ...pairs('headers', textOptions(options, 'header')),
  }
  return namedServer(name, entry, options)
}

/** Reads an entry like one of a file, with the same checks. */
export function namedServer(name: string, entry: object, options: Options): ServerSpec {
  const common = {
    cwd: textOption(options, 'cwd'),
    ...(options['disabled'] === true ? { disabled: true } : {}),
  }
  const [server] = readEntries({ [name]: { ...entry, ...common } })
  if (server === undefined) throw new UsageError(`invalid name "${name}"`)
  return server
}
