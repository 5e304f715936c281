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
  const globs = more.map((glob): GlobTest => compileGlob(foldedGlob(glob), (literal) => literal))
  return (path) => {
    const text = foldedPath(path)
    return ends.test(text) || globs.some((matches) => matches(text))
  }
}

/**
 * A pattern that matches every text with the path of a control file, after `folded` unless the text is plain. It also
 * matches what a server may decode: percent-encoded texts, `file:` URLs and JSON lists.
 */
export function controlPathHint(more: readonly string[]): RegExp {
  const parts = [...controlPaths, ...more, toolbridgeFolder].map((place) => needleOf(foldedGlob(place)))
  const needles = [...new Set(parts)].filter((part, _index, all) =>
    all.every((other) => other === part || !part.includes(other)),
  )
  return new RegExp(String.raw`${needles.map(escaped).join('|')}|%|^file:|^\s*\[`, 'i')
}

/**
 * A cheap test that rules out most texts that are not paths. It runs on every call, where the full check would cost more
 * than the rest of the decision.
 */
export function pathPrefilter(more: readonly string[]): (text: string) => boolean {
  const isUsual = more.map(foldedGlob).every((place) => place.includes('/') || hasExtension(needleOf(place)))
  return isUsual ? mayBePath : () => true
}

/** Not one regular expression: searching for single characters is many times faster in long texts. */
function mayBePath(text: string): boolean {
  return (
    isPathLike(text) || text.includes('%') || text.includes('\0') || Buffer.byteLength(text) !== text.length
  )
}

/** Returns whether `folded` changes only the case of a text. */
export function isPlain(text: string): boolean {
  return !/[^\t\n\r -~]/.test(text)
}

/** Returns whether a text is more than a name without an extension. */
export function isPathLike(text: string): boolean {
  return text.includes('/') || text.includes('\\') || hasExtension(text)
}

/** Returns whether a letter follows a dot. */
function hasExtension(text: string): boolean {
  for (let dot = text.indexOf('.'); dot !== -1; dot = text.indexOf('.', dot + 1)) {
    const next = text.charCodeAt(dot + 1) | 0x20
    if (next >= 0x61 && next <= 0x7a) return true
  }
  return false
}

/** The last literal part of a glob. */
function needleOf(place: string): string {
  return place.split(/[/*]/).findLast((part) => part !== '') ?? ''
}

/** A glob in the form of the paths that it is compared with. */
function foldedGlob(glob: string): string {
  return folded(glob.replaceAll('\\', '/'))
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}
