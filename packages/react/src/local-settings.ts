import { type ServerEntry, saveConfigRequestSchema } from '@toolbridge/api'

/** Servers by name. */
export type McpServers = Readonly<Record<string, ServerEntry>>

/** Settings stored in the browser: the servers, and the names of those that are not saved in the gateway. */
export interface LocalSettings {
  readonly mcpServers: McpServers
  readonly unsaved: readonly string[]
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
export const noSettings: LocalSettings = { mcpServers: {}, unsaved: [] }

/** Reads `{ mcpServers, unsaved? }`. Without `unsaved`, as before the first sync, every server is unsaved. */
export function readLocal(storage: SettingsStorage | undefined, key: string): LocalSettings {
  const text = readText(storage, key)
  if (text === null) return noSettings
  const document = parseDocument(text, key)
  const parsed = saveConfigRequestSchema.safeParse({ mcpServers: document.mcpServers })
  if (!parsed.success) throw unreadable(key, parsed.error)
  const { mcpServers } = parsed.data
  const isUnsaved = Array.isArray(document.unsaved) ? new Set<unknown>(document.unsaved) : undefined
  return { mcpServers, unsaved: Object.keys(mcpServers).filter((name) => isUnsaved?.has(name) ?? true) }
}

/** Writes settings for `readLocal`. */
export function writeLocal(storage: SettingsStorage | undefined, key: string, settings: LocalSettings): void {
  try {
    storage?.setItem(key, JSON.stringify(settings))
  } catch (cause) {
    throw new LocalSettingsError(
      'local_not_written',
      'the browser could not store the settings; its storage may be full',
      cause,
    )
  }
}

/** `getItem` throws if the browser blocks storage for the page. */
function readText(storage: SettingsStorage | undefined, key: string): string | null {
  try {
    return storage?.getItem(key) ?? null
  } catch (cause) {
    throw unreadable(key, cause)
  }
}

function parseDocument(text: string, key: string): { mcpServers?: unknown; unsaved?: unknown } {
  try {
    const document: unknown = JSON.parse(text)
    if (typeof document === 'object' && document !== null) return document
  } catch (cause) {
    throw unreadable(key, cause)
  }
  throw unreadable(key)
}

/** The message quotes no value, because the stored value may contain secrets. */
function unreadable(key: string, cause?: unknown): LocalSettingsError {
  return new LocalSettingsError(
    'local_unreadable',
    `the settings stored in this browser as "${key}" are not valid`,
    cause,
  )
}
