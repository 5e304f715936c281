/** Replaces every character but letters, digits and `_` by `_`. Empty if no letter or digit is left. */
export function identifier(text: string): string {
  const replaced = text.replaceAll(/\W/g, '_')
  return /[^_]/.test(replaced) ? replaced : ''
}
