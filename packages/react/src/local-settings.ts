import { type ServerEntry, saveConfigRequestSchema } from '@toolbridge/api'

/** Servers by name. */
export type McpServers = Readonly<Record<string, ServerEntry>>

/** What the browser keeps: the servers, and which of them the backend has not acknowledged. */
export interface LocalSettings {
  readonly mcpServers: McpServers
  readonly unsaved: readonly string[]
}

/** Where local settings live; `localStorage` is one. */
export type SettingsStorage = Pick<Storage, 'getItem' | 'setItem'>

/** Local settings could not be read or written. What is in the storage is left as it is. */
export class LocalSettingsError extends Error {
  override readonly name = 'LocalSettingsError'
  readonly code: 'local_unreadable' | 'local_not_written'

  constructor(code: LocalSettingsError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Nothing kept yet. */
export const noSettings: LocalSettings = { mcpServers: {}, unsaved: [] }

/** Reads `{ mcpServers, unsaved? }`. Settings from before the first sync name nothing: all of them are unsaved. */
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

/** Writes what `readLocal` reads. */
export function writeLocal(storage: SettingsStorage | undefined, key: string, settings: LocalSettings): void {
  try {
    storage?.setItem(key, JSON.stringify(settings))
  } catch (cause) {
    throw new LocalSettingsError(
      'local_not_written',
      'the browser did not keep the settings: is its storage full?',
      cause,
    )
  }
}

/** Reading throws where the browser blocks storage for the page. */
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

/** The message names no value: what is stored there may hold secrets. */
function unreadable(key: string, cause?: unknown): LocalSettingsError {
  return new LocalSettingsError(
    'local_unreadable',
    `the settings stored in this browser as "${key}" are not valid`,
    cause,
  )
}
