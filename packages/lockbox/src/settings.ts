/** Which of an owner's settings is meant. */
export type SettingKey = { readonly namespace: string; readonly name: string }

/** One version of a setting, opened. */
export type StoredSetting = {
  readonly id: string
  readonly version: number
  readonly value: unknown
  readonly createdAt: Date
}

/** Where a saved version ended up. */
export type SavedSetting = { readonly id: string; readonly version: number; readonly createdAt: Date }

export type SaveOptions = {
  /** The version this save replaces, 0 for none; any other current version rejects with `version_conflict`. */
  readonly expectedVersion?: number
  /** Who saved, when that is not the owner. */
  readonly createdBy?: string
}

/** Sealed, versioned settings. Every save is a new version; earlier ones stay readable by number. */
export interface Settings {
  /** The current version, or undefined when nothing was saved. Marks it as used now. */
  read(owner: string, key: SettingKey): Promise<StoredSetting | undefined>
  /** A version by its number, current or not. Does not mark it as used. */
  readVersion(owner: string, key: SettingKey, version: number): Promise<StoredSetting | undefined>
  /** Makes `value` (anything JSON can hold) the current version. A rejected save leaves the former version current. */
  save(owner: string, key: SettingKey, value: unknown, options?: SaveOptions): Promise<SavedSetting>
}
