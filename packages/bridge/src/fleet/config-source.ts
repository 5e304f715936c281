import { realpathSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { type InlineServers, readInlineServers } from '../config/read/inline-servers.ts'
import { readConfigText } from '../config/read/read-config-text.ts'
import type { Issue } from '../config/spec/issue.ts'
import { readConfig } from '../config/read/read-config.ts'
import type { ServerSpec, SourceKind } from '../config/spec/server-spec.ts'
import { ConfigError } from '../errors.ts'

/** The result of reading a source. */
export interface SourceReading {
  /** The usable definitions. */
  readonly servers: readonly ServerSpec[]
  /** Issues of entries that could not be used. */
  readonly issues?: readonly Issue[]
  /** Names of entries that could not be used. Those of running servers keep their previous definition. */
  readonly refused?: readonly string[]
}

/** A source of server definitions that can be read again. */
export interface ConfigSource {
  /** Reads the definitions. When it rejects, the running servers stay. */
  read(options: { readonly signal?: AbortSignal }): Promise<SourceReading>
  /** Calls back on possible changes, until disposed. */
  watch?(onChange: () => void): Disposable
}

/** Reports whether these are a source; a server may be called "read". */
export function isSource(
  servers: readonly ServerSpec[] | InlineServers | ConfigSource,
): servers is ConfigSource {
  return 'read' in servers && typeof servers.read === 'function'
}

/** Reads definitions that are given in code. Throws a `ConfigError` if an inline definition cannot be used. */
export function readGiven(servers: readonly ServerSpec[] | InlineServers): SourceReading {
  return isList(servers) ? { servers } : readInlineServers(servers)
}

/** `Array.isArray` does not narrow a readonly array. */
function isList(servers: readonly ServerSpec[] | InlineServers): servers is readonly ServerSpec[] {
  return Array.isArray(servers)
}

/** Wraps a source so that an older read never resolves after a newer one. */
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

/** Calls back on possible changes of a file, until disposed. */
export type WatchFile = (file: string, onChange: () => void) => Disposable

/** Options of `configFile`. */
export interface ConfigFileOptions {
  /** How the file was found. Entries of a project file need trust. */
  readonly kind: SourceKind
  /** Name of the dialect. Default: detected. */
  readonly dialect?: string
  /** Workspace folder; some hosts keep settings per folder in one file. */
  readonly workspaceFolder?: string
  /** Watches a file. Default: `fs.watch`. */
  readonly watchFile?: WatchFile
}

/**
 * A configuration file in any known dialect. Reading rejects with a `ConfigError` when it is missing or invalid.
 *
 * @example
 * ```ts
 * import { configFile } from '@toolbridge/bridge'
 *
 * const source = configFile('mcp.json', { kind: 'user' })
 * const { servers } = await source.read({})
 * console.log(servers.map((server) => server.name)) // [ 'hello' ]
 * ```
 */
export function configFile(file: string, options: ConfigFileOptions): ConfigSource {
  const { watchFile = watchWhereItLeads, ...reading } = options
  return {
    read: async ({ signal }) => {
      const text = await readConfigText(file)
      signal?.throwIfAborted()
      if (typeof text !== 'string') throw ConfigError.of([text])
      const { servers, issues, refused = [] } = readConfig(text, { ...reading, file })
      const isUnreadable = servers.length === 0 && issues.some(({ severity }) => severity === 'error')
      if (isUnreadable) throw ConfigError.of(issues)
      return { servers, issues, refused }
    },
    watch: (onChange) => watchFile(file, onChange),
  }
}

/** Watches a symbolic link and its target. */
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

/** Undefined for anything but a valid symbolic link. */
function watchTarget(file: string, onChange: () => void): Disposable | undefined {
  try {
    const target = realpathSync(file)
    return target === resolve(file) ? undefined : watchInFolder(target, onChange)
  } catch {
    return undefined
  }
}

/** Watches the folder, because editors replace the file. */
function watchInFolder(file: string, onChange: () => void): Disposable {
  const watcher = watch(dirname(file), { persistent: false }, (_event, name) => {
    if (name === null || name === basename(file)) onChange()
  })
  // A deleted folder is noticed by the next read.
  watcher.on('error', () => watcher.close())
  return { [Symbol.dispose]: () => watcher.close() }
}
