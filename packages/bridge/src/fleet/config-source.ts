import { realpathSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { readConfigText } from '../config/read/read-config-text.ts'
import type { Issue } from '../config/spec/issue.ts'
import { readConfig } from '../config/read/read-config.ts'
import type { ServerSpec, SourceKind } from '../config/spec/server-spec.ts'
import { ConfigError } from '../errors.ts'

/** What a source says at one moment. */
export interface SourceReading {
  readonly servers: readonly ServerSpec[]
  /** What there is to say about the rest. */
  readonly issues?: readonly Issue[]
}

/** Where the definitions of a bridge come from, so that they can be read again. */
export interface ConfigSource {
  /** Rejects when nothing can be said; what runs goes on. */
  read(options: { readonly signal?: AbortSignal }): Promise<SourceReading>
  /** Calls back whenever a reading may be another one, until it is disposed of. */
  watch?(onChange: () => void): Disposable
}

/** The same source, of which a reading that began later is not followed by what an earlier one found out. */
export function inOrder(source: ConfigSource): ConfigSource {
  let begun = 0
  let newest: { readonly turn: number; readonly reading: SourceReading } | undefined
  return {
    read: async (options) => {
      begun += 1
      const turn = begun
      const reading = await source.read(options)
      if (newest === undefined || newest.turn < turn) newest = { turn, reading }
      return newest.reading
    },
    watch: (onChange) => source.watch?.(onChange) ?? { [Symbol.dispose]: () => undefined },
  }
}

/** Calls back whenever a file may be another one, until it is disposed of. */
export type WatchFile = (file: string, onChange: () => void) => Disposable

export interface ConfigFileOptions {
  /** By what way the file was found: the entries of a project's own file need trust. */
  readonly kind: SourceKind
  /** Name of the dialect; recognised by its shape unless told. */
  readonly dialect?: string
  /** Where the person works: some hosts keep settings for each such folder in one file. */
  readonly workspaceFolder?: string
  /** By means of the operating system unless told. */
  readonly watchFile?: WatchFile
}

/** A configuration file in any known dialect. One that is not there or cannot be read rejects with a `ConfigError`. */
export function configFile(file: string, options: ConfigFileOptions): ConfigSource {
  const { watchFile = watchWhereItLeads, ...reading } = options
  return {
    read: async ({ signal }) => {
      const text = await readConfigText(file)
      signal?.throwIfAborted()
      if (typeof text !== 'string') throw ConfigError.of([text])
      const { servers, issues } = readConfig(text, { ...reading, file })
      const isUnreadable = servers.length === 0 && issues.some(({ severity }) => severity === 'error')
      if (isUnreadable) throw ConfigError.of(issues)
      return { servers, issues }
    },
    watch: (onChange) => watchFile(file, onChange),
  }
}

/** A link may come to lead elsewhere, and what it leads to may change. */
function watchWhereItLeads(file: string, onChange: () => void): Disposable {
  let target = watchTarget(file, onChange)
  const own = watchInFolder(file, () => {
    target?.[Symbol.dispose]()
    target = watchTarget(file, onChange)
    onChange()
  })
  return {
    [Symbol.dispose]: () => {
      own[Symbol.dispose]()
      target?.[Symbol.dispose]()
    },
  }
}

/** Undefined for what is no link, or leads nowhere. */
function watchTarget(file: string, onChange: () => void): Disposable | undefined {
  try {
    const target = realpathSync(file)
    return target === resolve(file) ? undefined : watchInFolder(target, onChange)
  } catch {
    return undefined
  }
}

/** The folder is watched, since editors put a new file in the place of the old one. */
function watchInFolder(file: string, onChange: () => void): Disposable {
  const watcher = watch(dirname(file), { persistent: false }, (_event, name) => {
    if (name === null || name === basename(file)) onChange()
  })
  // A folder that is gone cannot change any more; whoever reads it next finds out.
  watcher.on('error', () => watcher.close())
  return { [Symbol.dispose]: () => watcher.close() }
}
