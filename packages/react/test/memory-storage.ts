import type { SettingsStorage } from '@toolbridge/react'

/** An in-memory `Storage`. */
export function memoryStorage(
  documents: Record<string, unknown> = {},
): SettingsStorage & { read(key: string): unknown } {
  const texts = new Map(Object.entries(documents).map(([key, value]) => [key, JSON.stringify(value)]))
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    read: (key) => JSON.parse(texts.get(key) ?? 'null'),
  }
}
