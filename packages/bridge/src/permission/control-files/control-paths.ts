import { Buffer } from 'node:buffer'
import { dialects } from '../../config/dialects/all.ts'
import { compileGlob, type GlobTest } from '../../text/glob.ts'
import { folded, foldedPath } from '../rules/path-text.ts'

/** Settings files of hosts that define no servers but decide which ones start or what needs an approval. */
const furtherPlaces: readonly string[] = [
  '.agents/config.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.vscode/settings.json',
]

/** The folder of Toolbridge's own files. */
export const toolbridgeFolder = '.toolbridge'

/** Paths of the files of every dialect, relative to the project or home folder. */
export const controlPaths: readonly string[] = [
  ...new Set([
    ...dialects.flatMap(({ locations }) => locations.map(({ path }) => withoutRoot(path))),
    ...furtherPlaces,
  ]),
]

function withoutRoot(path: string): string {
  return path.replace(/^(?:~|%\w+%)?\//, '')
}

/** Compiles a test for paths of control files in any folder. */
export function controlPathTest(more: readonly string[]): (path: string) => boolean {
  const tails = controlPaths.map((place) => place.split('*').map(escaped).join('[^/]*'))
  const ends = new RegExp(`(?:^|/)(?:${folded(tails.join('|'))}|${escaped(toolbridgeFolder)}(?:/.*)?)$`, 's')
  const globs = more.map(
    (glob): GlobTest => compileGlob(folded(glob.replaceAll('\\', '/')), (literal) => literal),
  )
  return (path) => {
    const text = foldedPath(path)
    return ends.test(text) || globs.some((matches) => matches(text))
  }
}

/** A pattern that every text with the path of a control file matches. */
export function controlPathHint(more: readonly string[]): RegExp {
  const chunks = [...controlPaths, ...more].map(needleOf).concat(toolbridgeFolder)
  const needed = [...new Set(chunks)].filter((chunk, _index, all) =>
    all.every((other) => other === chunk || !chunk.includes(other)),
  )
  return new RegExp(`${needed.map(escaped).join('|')}|%|\\p{Default_Ignorable_Code_Point}`, 'iu')
}

/**
 * A cheap test that rules out most texts that are not paths. It runs on every call, where the full check would cost more
 * than the rest of the decision.
 */
export function pathPrefilter(more: readonly string[]): (text: string) => boolean {
  const isUsual = more.every((place) => place.includes('/') || hasExtension(needleOf(place)))
  return isUsual ? mayBePath : () => true
}

/** Not one regular expression: searching for single characters is many times faster in long texts. */
function mayBePath(text: string): boolean {
  return (
    text.includes('/') ||
    text.includes('\\') ||
    text.includes('%') ||
    text.startsWith('~') ||
    hasExtension(text) ||
    Buffer.byteLength(text) !== text.length
  )
}

/** Returns whether a letter follows a dot. */
function hasExtension(text: string): boolean {
  for (let dot = text.indexOf('.'); dot !== -1; dot = text.indexOf('.', dot + 1)) {
    const next = text.charCodeAt(dot + 1) | 0x20
    if (next >= 0x61 && next <= 0x7a) return true
  }
  return false
}

/** The longest literal part of the last path segment that is not only `*`. */
function needleOf(place: string): string {
  for (const name of place.split('/').toReversed()) {
    const chunks = name.split('*')
    const longest = chunks.reduce((one, other) => (other.length > one.length ? other : one), '')
    if (longest !== '') return longest
  }
  return ''
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}
