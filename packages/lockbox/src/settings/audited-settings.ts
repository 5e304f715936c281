import type { Settings, SettingKey, StoredSetting } from './settings.ts'
import type { AuditLog } from '../audit/audit.ts'

/** Records every value that is read. A value whose entry cannot be written is not returned. */
export function auditedSettings(settings: Settings, audit: AuditLog): Settings {
  const recorded = async (
    owner: string,
    { namespace, name }: SettingKey,
    found: StoredSetting | undefined,
  ): Promise<StoredSetting | undefined> => {
    if (found === undefined) return undefined
    const event = { action: 'read', kind: 'setting', name: [namespace, name, String(found.version)] } as const
    await audit.transaction(owner, async (_query, record) => record(event))
    return found
  }
  return {
    ...settings,
    read: async (owner, key) => recorded(owner, key, await settings.read(owner, key)),
    readVersion: async (owner, key, version) =>
      recorded(owner, key, await settings.readVersion(owner, key, version)),
  }
}
