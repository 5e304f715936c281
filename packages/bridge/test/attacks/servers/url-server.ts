import { exactValues } from './exact-values.ts'
import { folder, resolved } from './linux-path.ts'
import type { Reading } from './read-arguments.ts'

/**
 * Takes URLs and plain paths as `new URL(text, base)` reads them: without control characters around and tabs and line breaks
 * anywhere, `\` as `/`, `%2e` as a dot. The path of a `file:` URL is percent-decoded once, strictly.
 */
export const urlServer: Reading = { ...exactValues, placeOf }

function placeOf(text: string): string | undefined {
  try {
    return placeAt(URL.canParse(text) ? new URL(text) : new URL(text, `file://${folder}/`))
  } catch {
    return undefined
  }
}

function placeAt({ protocol, origin, pathname }: URL): string {
  if (protocol !== 'file:') return `${origin.replace(/\.$/, '')}${decodeURIComponent(pathname)}`
  const path = decodeURIComponent(pathname)
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : resolved(path)
}
