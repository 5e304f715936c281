import { resolve } from 'node:path'
import type { ServerSpec } from '@toolbridge/bridge'
import { type Options, textOption } from '../command.ts'
import { readEntries } from '../servers/typed-servers.ts'
import type { Terminal } from '../terminal.ts'

/** Name of the entry in the files of hosts. */
export const defaultEntryName = 'toolbridge'

export function entryName(options: Options): string {
  return textOption(options, 'name') ?? defaultEntryName
}

/** The entry by which a host starts `toolbridge serve --stdio`. It contains no secret. */
export function gatewayEntry(options: Options, { cwd }: Terminal): readonly ServerSpec[] {
  const files = ['mcp', 'data'].flatMap((name) => {
    const file = textOption(options, name)
    return file === undefined ? [] : [`--${name}`, resolve(cwd, file)]
  })
  const [command, ...args] = [...ownCommand(), 'serve', '--stdio', ...files]
  return readEntries({ [entryName(options)]: { command, args } })
}

/**
 * Absolute paths, because a host has not always the `PATH` of a shell. A copy in the cache of npx may be removed at any
 * time, so npx finds it again.
 */
function ownCommand(): readonly string[] {
  const [node = 'node', script = 'toolbridge'] = process.argv
  return /[\\/]_npx[\\/]/.test(script) ? ['npx', '-y', 'toolbridge'] : [node, resolve(script)]
}
