/**
 * A path the way it is compared: forward slashes, without `.`, `..` and empty steps as far as they can be told, out of a
 * `file:` address if it is in one. What it is relative to, and where links lead, is not looked at, but for the links to the
 * root and to its own folder that every process has on Linux.
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
 * The paths that a text can mean: `C:`, `file:` and `\` may be a drive, an address and a slash, or parts of names; a drive is
 * a step like any other behind `\\?\`; and a `file:` address goes by the rules of addresses, where an empty step counts, or by
 * those of paths.
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

/** Percent signs read as such; text that only looks like it holds some stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether a path begins at a root, or at a person's home. */
export function isRooted(path: string): boolean {
  return /^(?:\/|\\|~|[A-Za-z]:)/.test(path)
}

/**
 * A text without what readers and file systems may not tell apart: the case of letters, how a letter with an accent is
 * put together, and characters that are not shown.
 */
export function folded(text: string): string {
  const shown = isAscii.test(text)
    ? text
    : text.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
  return shown.replaceAll('\0', '').toLowerCase()
}

const isAscii = /^\p{ASCII}*$/u

/** The same for a path, also without the dots, blanks and stream names that Windows leaves out at the end of a step. */
export function foldedPath(path: string): string {
  return folded(path).replaceAll(/(?<=[^/.\s])(?:[. ]+|::\$data)(?=\/|$)/g, '')
}
