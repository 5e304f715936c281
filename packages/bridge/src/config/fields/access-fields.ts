import type { Finding } from '../documents/config-document.ts'

/**
 * Words in names of fields that restrict a server or its calls. Dropping such a field would silently widen access, so an
 * entry with an unknown one is refused.
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

/** Reports whether an unknown field may restrict access, judging by its name. */
export function mayRestrictAccess(fieldName: string): boolean {
  return restrictingWords.some((word) => plain(fieldName).includes(word))
}

const denyingWords = ['block', 'deny', 'denied', 'disabledtools', 'exclu', 'forbid']

/** Reports whether a field lists what is denied, judging by its name: an empty list denies nothing. */
export function onlyDenies(fieldName: string): boolean {
  return denyingWords.some((word) => plain(fieldName).includes(word))
}

/** Fields of other hosts that allow calls without asking. Dropping one is safe: calls still ask. */
const wideningFields: ReadonlySet<string> = new Set(['alwaysallow', 'autoapprove'])

/** Reports whether a field only widens access. */
export function widensAccess(fieldName: string): boolean {
  return wideningFields.has(plain(fieldName))
}

/** The finding about a field that widens access. */
export function widensAccessFinding(fieldName: string): Omit<Finding, 'severity'> {
  return {
    code: 'field_widens',
    message: `"${fieldName}" would allow calls without asking and was ignored: calls still ask`,
    fix: 'remove it, and allow tools with permission rules',
  }
}

function plain(fieldName: string): string {
  return fieldName.toLowerCase().replaceAll(/[^a-z]/g, '')
}
