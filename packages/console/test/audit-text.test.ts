import { expect, test } from 'vitest'
import {
  actionText,
  auditFile,
  filteredAudit,
  kindText,
  nameText,
  noAuditFilter,
} from '../src/audit/audit-text.ts'

const at = new Date().toISOString()
const entries = [
  { at, action: 'read', kind: 'setting', name: ['mcp', 'servers', '1'] },
  { at, action: 'refuse', kind: 'input', name: ['github', 'token'] },
]

test('the audit is filtered by action, kind and words of the name, and downloaded as it is', () => {
  const names = (filter: Partial<typeof noAuditFilter>): readonly string[] =>
    filteredAudit(entries, { ...noAuditFilter, ...filter }).map(({ action }) => action)
  expect(names({})).toEqual(['read', 'refuse'])
  expect(names({ action: 'refuse' })).toEqual(['refuse'])
  expect(names({ kind: 'setting' })).toEqual(['read'])
  expect(names({ text: ' GitHub ' })).toEqual(['refuse'])
  expect(JSON.parse(auditFile(entries))).toEqual({ entries })
  expect(actionText('refuse')).toBe('Refused')
  expect(entries.map(nameText)).toEqual(['Servers, version 1', 'github › token'])
  expect(kindText('setting')).toBe('Setting')
})
