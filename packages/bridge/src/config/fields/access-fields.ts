import type { Finding } from '../documents/config-document.ts'

/**
 * Words in the names of fields that narrow what a server may do or when a person is asked. Losing such a field would
 * widen access without a word, so a reader that does not understand it refuses the entry instead of dropping it.
 */
const restrictingWords = [
  'allow',
  'approv',
  'block',
  'confirm',
  'deny',
  'denied',
  'disab',
  'enab',
  'exclu',
  'filter',
  'forbid',
  'inclu',
  'permission',
  'policy',
  'readonly',
  'restrict',
  'sandbox',
  'tools',
  'trust',
]

/** Whether a field that is not understood must be taken for one that narrows access. */
export function mayRestrictAccess(fieldName: string): boolean {
  return restrictingWords.some((word) => plain(fieldName).includes(word))
}

/** Fields of other hosts that let calls through without a question. To drop one only means to go on asking. */
const wideningFields: ReadonlySet<string> = new Set(['alwaysallow', 'autoapprove'])

/** Whether a field is known to widen access, and to do nothing else. */
export function widensAccess(fieldName: string): boolean {
  return wideningFields.has(plain(fieldName))
}

/** What there is to say about a field that widens access. */
export function widensAccessFinding(fieldName: string): Omit<Finding, 'severity'> {
  return {
    code: 'field_widens',
    message: `"${fieldName}" would let calls through unasked and was dropped: calls still ask`,
    fix: 'remove it, and allow tools by permission rules',
  }
}

function plain(fieldName: string): string {
  return fieldName.toLowerCase().replaceAll(/[^a-z]/g, '')
}
