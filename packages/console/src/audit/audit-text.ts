import type { OwnAuditEntry } from '@toolbridge/api'

/** What of the audit is shown. An empty text matches everything. */
export interface AuditFilter {
  readonly text: string
  readonly action: string
  readonly kind: string
}

/** Shows everything. */
export const noAuditFilter: AuditFilter = { text: '', action: '', kind: '' }

/** Returns the entries that a filter lets through. */
export function filteredAudit(
  entries: readonly OwnAuditEntry[],
  { text, action, kind }: AuditFilter,
): readonly OwnAuditEntry[] {
  const word = text.trim().toLowerCase()
  return entries.filter(
    (entry) =>
      (action === '' || entry.action === action) &&
      (kind === '' || entry.kind === kind) &&
      nameText(entry).toLowerCase().includes(word),
  )
}

const actions: Readonly<Record<string, string>> = {
  read: 'Read',
  save: 'Saved',
  remove: 'Removed',
  refuse: 'Refused',
}

/** An action in words. */
export function actionText(action: string): string {
  return actions[action] ?? action
}

/** The kind of a value, as the start of a sentence. */
export function kindText(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1)
}

/** What a value is called. The saved servers have one setting, with a version for each save. */
export function nameText({ kind, name }: Pick<OwnAuditEntry, 'kind' | 'name'>): string {
  const [scope, setting, version] = name
  if (kind === 'setting' && scope === 'mcp' && setting === 'servers' && version !== undefined)
    return `Servers, version ${version}`
  return name.join(' › ')
}

/** The audit as a file, oldest last, as it was received. */
export function auditFile(entries: readonly OwnAuditEntry[]): string {
  return `${JSON.stringify({ entries }, null, 2)}\n`
}
