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
export function mayRestrict(fieldName: string): boolean {
  const plain = fieldName.toLowerCase().replaceAll(/[^a-z]/g, '')
  return restrictingWords.some((word) => plain.includes(word))
}
