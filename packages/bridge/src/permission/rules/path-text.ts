/**
 * Normalizes a path for comparison: forward slashes, `.`, `..` and empty segments resolved where possible, `file:` URLs
 * converted. Does not resolve relative paths or links, except `/dev/fd` and the `root` and
 * `cwd` links in `/proc` of Linux.
 */
export function normalizedPath(text: string): string {
  const slashed = withoutAddress(text).replaceAll('\\', '/')
  const path = slashed.replace(/^\/\/[?.]\/(?=[A-Za-z]:)/, '')
  return withoutDetours(path, /^(?:[A-Za-z]:)?\//.exec(path)?.[0] ?? '')
}

function withoutDetours(path: string, beginning: string): string {
  let root = beginning
  let steps: string[] = []
  for (const step of path.slice(root.length).split('/')) {
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else if (step === '..' ? root === '' : step !== '.' && step !== '') steps.push(step)
    if (root === '/' && steps.length === 2 && steps.join('/') === 'dev/fd') steps = ['proc', 'self', 'fd']
    const link = root === '/' ? ownLink(steps) : undefined
    if (link === undefined) continue
    root = link === 'root' ? '/' : ''
    steps = []
  }
  return `${root}${steps.join('/')}`
}

function ownLink(steps: readonly string[]): string | undefined {
  if (steps[0] !== 'proc' || (steps.length !== 3 && steps.length !== 5)) return undefined
  return /^proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(root|cwd)$/.exec(steps.join('/'))?.[1]
}

function withoutAddress(text: string): string {
  if (!/^file:/i.test(text)) return text
  const path = decoded(text.replace(/^file:(?:\/\/[^/\\]*)?/i, '').replace(/[?#].*$/s, ''))
  return path.replace(/^[/\\]+(?=[A-Za-z]:)/, '')
}

/**
 * The paths that a text can denote: `C:`, `file:` and `\` may be a drive, a scheme and a separator, or parts of names; behind
 * `\\?\` a drive is an ordinary segment; and a `file:` URL may follow the rules of URLs, where empty segments count, or those of
 * paths.
 */
export function pathsOf(text: string): readonly string[] {
  const elsewhere = [text, withoutAddress(text)]
    .filter((path) => /\\|^[A-Za-z]+:/.test(path))
    .map((path) => withoutDetours(path, path.startsWith('/') ? '/' : ''))
  const isAddress = /^file:/i.test(text) && URL.canParse(text)
  const addressed = isAddress ? [normalizedPath(`file://${new URL(text).pathname}`)] : []
  return [normalizedPath(text), ...elsewhere, ...onDevice(text), ...addressed]
}

function onDevice(text: string): readonly string[] {
  const [, path] = /^[/\\]{2}[?.]([/\\][\s\S]*)$/.exec(text) ?? []
  return path === undefined ? [] : [withoutDetours(path.replaceAll('\\', '/'), '/').slice(1)]
}

/** Percent-decodes a text; returns it unchanged if it is not valid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns whether a path starts at a root or at a home folder. */
export function isRooted(path: string): boolean {
  return /^(?:\/|\\|~|[A-Za-z]:)/.test(path)
}

/**
 * Folds differences that readers and file systems may ignore: case, Unicode composition, and invisible characters.
 */
export function folded(text: string): string {
  const shown = isAscii.test(text)
    ? text
    : text.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
  return shown.replaceAll('\0', '').toLowerCase()
}

const isAscii = /^\p{ASCII}*$/u

/** `folded` for a path, also without the trailing dots, spaces and stream names that Windows ignores in a segment. */
export function foldedPath(path: string): string {
  return folded(path).replaceAll(/(?<=[^/.\s])(?:[. ]+|::\$data)(?=\/|$)/g, '')
}
