import { parsedUrl } from '@toolbridge/client/internal'
import { withSlashes } from './characters.ts'
import { decodings, percentDecoded } from './spellings.ts'

/** PATH_MAX of Linux: nothing opens a longer path. */
export const maxPathLength = 4_096

/**
 * Normalizes a path for comparison: forward slashes, `.`, `..` and empty segments resolved where possible, `file:` URLs
 * converted. Does not resolve relative paths or links, except those in `/proc` and `/dev` of Linux.
 */
export function normalizedPath(text: string): string {
  const [, address = ''] = /^file:(.*)$/is.exec(text) ?? []
  const path = address === '' ? text : withoutSlashBeforeDrive(percentDecoded(pathOfAddress(address)))
  const slashed = withoutDevice(withSlashes(path))
  return followed(slashed) ?? slashed
}

/** Returns whether a path starts at a root or at a home folder. */
export function isRooted(path: string): boolean {
  return /^(?:\/|\\|~|[A-Za-z]:)/.test(path)
}

/**
 * The paths that a text can denote, not resolved, with `/` as separator: `C:`, `file:` and `\` may be a drive, a scheme and
 * a separator, or parts of names; behind `\\?\` a drive is an ordinary segment; and a `file:` URL may follow the rules of
 * URLs, or those of somebody who only cuts off its beginning.
 */
export function pathForms(text: string): readonly string[] {
  const forms = [text, ...addressedPaths(text)].flatMap((path) => [
    ...separatedPaths(path),
    ...onDevice(path),
  ])
  return [...new Set(forms)]
}

function separatedPaths(path: string): readonly string[] {
  const slashed = withSlashes(path)
  // Behind `./` a drive is an ordinary segment.
  const asName = /^[A-Za-z]:/.test(path) ? [`./${slashed}`] : []
  return [withoutDevice(slashed), slashed, path, ...asName]
}

/** The paths of a `file:` URL; none of another text. */
export function addressedPaths(text: string): readonly string[] {
  if (!/^file:/i.test(text)) return []
  const address = text.slice('file:'.length)
  const cut = pathOfAddress(address)
  const parsed = parsedUrl(text)?.pathname ?? cut
  const paths = [cut, parsed].flatMap(decodings)
  const all = [...paths, withoutAuthority(address), address.replace(/^[/\\]{2}/, '')]
  return [...new Set(all.flatMap((path) => [path, withoutSlashBeforeDrive(path)]))]
}

/** The path of what follows `file:`. */
function pathOfAddress(address: string): string {
  const end = address.search(/[?#]/)
  return withoutAuthority(end === -1 ? address : address.slice(0, end))
}

function withoutAuthority(address: string): string {
  return address.replace(/^[/\\]{2}[^/\\]*/, '')
}

/** The path of Windows in that of an address: `/C:/x` is `C:/x`. */
export function withoutSlashBeforeDrive(path: string): string {
  const [, slashes = ''] = /^([/\\]+)[A-Za-z][:|](?=[/\\]|$)/.exec(path) ?? []
  return slashes === '' ? path : `${path[slashes.length] ?? ''}:${path.slice(slashes.length + 2)}`
}

/** Without the prefix by which Windows names a device, before a drive. */
function withoutDevice(path: string): string {
  return path.replace(/^\/\/[?.]\/(?=[A-Za-z]:)/, '')
}

function onDevice(text: string): readonly string[] {
  return /^[/\\]{2}[?.][/\\]/.test(text) ? [`./${withSlashes(text.slice(4))}`] : []
}

/**
 * A path without `.`, `..` and empty segments, and through the links of Linux's `/proc` and `/dev`: one reading for those who
 * resolve the text before they open it, another for those who do not. Undefined stands for one that is too long to be opened.
 */
export function resolvedPaths(path: string): readonly (string | undefined)[] {
  const plain = resolved(path)
  return mayHaveLinks(path) ? [plain, shortEnough(followed(path))] : [plain]
}

/** Returns whether following the links of a path can lead elsewhere than resolving it. */
export function mayHaveLinks(path: string): boolean {
  return (path.includes('proc/') && /\b(?:root|cwd|net|thread-self)\b/.test(path)) || path.includes('dev/')
}

function shortEnough(path: string | undefined): string | undefined {
  return path !== undefined && path.length > maxPathLength ? undefined : path
}

/** The length of the root of a path. */
function rootLength(path: string): number {
  return /^(?:[A-Za-z]:)?\//.exec(path)?.[0].length ?? 0
}

/** More steps up than any folder is deep, and as many names as a path can have. */
const maxSteps = 2_048

/** Resolves from the end, so that a long text that is no path is left after its last 4,096 characters. */
function resolved(path: string): string | undefined {
  const root = path.slice(0, rootLength(path))
  const names: string[] = []
  let [length, skipped] = [root.length, 0]
  for (let end = path.length; end > root.length; ) {
    const start = Math.max(path.lastIndexOf('/', end - 1) + 1, root.length)
    const step = stepAt(path, start, end)
    if (step === 'up') skipped += 1
    else if (step === 'name' && skipped > 0) skipped -= 1
    else if (step === 'name') {
      const name = path.slice(start, endOfName(path, start, end))
      length += name.length + 1
      if (length > maxPathLength + 1) return undefined
      names.push(name)
    }
    end = start - 1
  }
  const ups = root === '' ? '../'.repeat(Math.min(skipped, maxSteps)) : ''
  const rest = names.toReversed().join('/')
  return `${root}${rest === '' ? ups.slice(0, -1) : `${ups}${rest}`}`
}

/** Names are shorter: only one with dots and blanks at its end, which Windows ignores, can be longer. */
const maxNameLength = 255

function endOfName(path: string, start: number, end: number): number {
  let last = end
  if (end - start > maxNameLength)
    while (last > start && (path[last - 1] === '.' || path[last - 1] === ' ')) last -= 1
  return last === start ? end : last
}

function stepAt(path: string, start: number, end: number): 'none' | 'up' | 'name' {
  if (start === end || (end - start === 1 && path[start] === '.')) return 'none'
  return end - start === 2 && path[start] === '.' && path[start + 1] === '.' ? 'up' : 'name'
}

/**
 * Resolves from the beginning, through the links that every process of Linux finds in `/proc` and `/dev`. Undefined stands for a
 * path with too many names to be opened.
 */
function followed(path: string): string | undefined {
  let root = path.slice(0, rootLength(path))
  let names: string[] = []
  let [ups, further] = [0, 0]
  for (let start = root.length; start <= path.length; ) {
    const slash = path.indexOf('/', start)
    const end = slash === -1 ? path.length : slash
    const step = stepAt(path, start, end)
    if (step === 'name' && names.length === maxSteps) further += 1
    else if (step === 'up' && further > 0) further -= 1
    else if (step === 'name') {
      names.push(path.slice(start, end))
      const link = root === '/' && names.length < 6 ? linkAt(names) : undefined
      if (link !== undefined) {
        root = link.root
        names = [...link.names]
      }
    } else if (step === 'up' && names.pop() === undefined && root === '') ups += 1
    start = end + 1
  }
  if (further > 0) return undefined
  return `${root}${[...Array<string>(Math.min(ups, maxSteps)).fill('..'), ...names].join('/')}`
}

interface Link {
  readonly root: string
  readonly names: readonly string[]
}

const links: Readonly<Record<string, readonly string[]>> = {
  'dev/fd': ['proc', 'self', 'fd'],
  'proc/net': ['proc', 'self', 'net'],
  'proc/thread-self': ['proc', 'self', 'task', '1'],
}

/** Where a path leads that ends at a link; undefined if it ends at none. */
function linkAt(names: readonly string[]): Link | undefined {
  const [first, second = '', task = '', thread = ''] = names
  if (first !== 'proc' && first !== 'dev') return undefined
  if (names.length === 2) {
    const target = second.length < 12 ? links[`${first}/${second}`] : undefined
    return target && { root: '/', names: target }
  }
  const isOfThread = names.length === 5 && task === 'task' && isProcess(thread)
  if (!isProcess(second) || (names.length !== 3 && !isOfThread)) return undefined
  const last = names.at(-1)
  if (last === 'root') return { root: '/', names: [] }
  return last === 'cwd' ? { root: '', names: [] } : undefined
}

function isProcess(name: string): boolean {
  return name === 'self' || (name.length <= 10 && /^\d+$/.test(name))
}
