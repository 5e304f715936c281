import { type ServerEntry, saveConfigRequestSchema } from '@toolbridge/api'

/** Servers by name. */
export type McpServers = Readonly<Record<string, ServerEntry>>

/** Settings stored in the browser, which all tabs share. */
export interface LocalSettings {
  readonly mcpServers: McpServers
  /** Names of servers that were added or changed here and are not saved in the gateway. */
  readonly unsaved: readonly string[]
  /** Names of servers that were removed here, and not yet in the gateway. */
  readonly removed: readonly string[]
  /** Saved version that the settings are based on; 0 if there is none. */
  readonly version: number
  /** Local changes that were replaced by those of someone else. */
  readonly replaced: McpServers
}

/** Storage for local settings, such as `localStorage`. */
export type SettingsStorage = Pick<Storage, 'getItem' | 'setItem'>

/** Local settings could not be read or written. The stored value is unchanged. */
export class LocalSettingsError extends Error {
  override readonly name = 'LocalSettingsError'
  /** Stable code. */
  readonly code: 'local_unreadable' | 'local_not_written'

  constructor(code: LocalSettingsError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Empty settings. */
export const noSettings: LocalSettings = {
  mcpServers: {},
  unsaved: [],
  removed: [],
  version: 0,
  replaced: {},
}

/** Where settings are stored. */
export interface SettingsLocation {
  readonly storage: SettingsStorage
  readonly key: string
  /** Read while nothing is stored under `key`; never written. */
  readonly importKey: string
}

/** Returns the stored text, which `parseLocal` parses, and its key; undefined if nothing is stored. */
export function readStored({ storage, key, importKey }: SettingsLocation): StoredText | undefined {
  for (const each of [key, importKey]) {
    const text = readText(storage, each)
    if (text !== null) return { key: each, text }
  }
  return undefined
}

/** Text in the storage, and its key. */
export interface StoredText {
  readonly key: string
  readonly text: string
}

/** Parses `{ mcpServers }`, as before the first sync, when every server is unsaved, or the text of `writeLocal`. */
export function parseLocal({ key, text }: StoredText): LocalSettings {
  const document = parseDocument(text, key)
  const mcpServers = parseServers(document['mcpServers'] ?? persistedServers(document), key)
  const names = Object.keys(mcpServers)
  const isUnsaved = namesIn(document['unsaved'])
  return {
    mcpServers,
    unsaved: names.filter((name) => isUnsaved?.has(name) ?? true),
    removed: [...(namesIn(document['removed']) ?? [])].filter((name) => !names.includes(name)),
    version: typeof document['version'] === 'number' && isUnsaved ? document['version'] : 0,
    replaced: parseServers(document['replaced'] ?? {}, key),
  }
}

/** Writes settings and returns the stored text. */
export function writeLocal({ storage, key }: SettingsLocation, settings: LocalSettings): StoredText {
  const text = JSON.stringify(settings)
  try {
    storage.setItem(key, text)
    return { key, text }
  } catch (cause) {
    throw new LocalSettingsError(
      'local_not_written',
      'the browser could not store the settings; its storage may be full',
      cause,
    )
  }
}

/** `getItem` throws if the browser blocks storage for the page. */
function readText(storage: SettingsStorage, key: string): string | null {
  try {
    return storage.getItem(key)
  } catch (cause) {
    throw unreadable(key, cause)
  }
}

function parseDocument(text: string, key: string): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(text)
    if (isRecord(document)) return document
  } catch (cause) {
    throw unreadable(key, cause)
  }
  throw unreadable(key)
}

/** The `persist` middleware of zustand stores `{ state, version }`. */
function persistedServers({ state }: Readonly<Record<string, unknown>>): unknown {
  const config = isRecord(state) ? state['config'] : undefined
  return isRecord(config) ? config['mcpServers'] : undefined
}

function parseServers(mcpServers: unknown, key: string): McpServers {
  const parsed = saveConfigRequestSchema.safeParse({ mcpServers })
  if (!parsed.success) throw unreadable(key, parsed.error)
  return parsed.data.mcpServers
}

function namesIn(value: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(value)) return undefined
  return new Set(value.filter((name) => typeof name === 'string'))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** The message quotes no value, because the stored value may contain secrets. */
function unreadable(key: string, cause?: unknown): LocalSettingsError {
  return new LocalSettingsError(
    'local_unreadable',
    `the settings stored in this browser as "${key}" are not valid`,
    cause,
  )
}
