/**
 * The URL of a text, or undefined if it is none. Not `URL.canParse`: once compiled, that of Node 20 and 22 refuses accented
 * Latin letters.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
