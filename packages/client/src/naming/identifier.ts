/** Replaces every character but letters, digits and `_` by `_`. Empty if no letter or digit is left. */
export function identifier(text: string): string {
  const replaced = text.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /[A-Za-z0-9]/.test(replaced) ? replaced : ''
}
