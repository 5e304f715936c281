import { Buffer } from 'node:buffer'
import { dialects } from '../../config/dialects/all.ts'
import { compileGlob, type GlobTest } from '../../text/glob.ts'
import { folded, foldedPath } from '../rules/path-text.ts'

/** Files of hosts that are no definitions of servers and yet say which of them start, or what is asked about. */
const furtherPlaces: readonly string[] = [
  '.agents/config.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.vscode/settings.json',
]

/** What is under this folder is Toolbridge's own. */
export const toolbridgeFolder = '.toolbridge'

/** Where every dialect keeps its files, from the project's or the person's folder on. */
export const controlPaths: readonly string[] = [
  ...new Set([
    ...dialects.flatMap(({ locations }) => locations.map(({ path }) => withoutRoot(path))),
    ...furtherPlaces,
  ]),
]

function withoutRoot(path: string): string {
  return path.replace(/^(?:~|%\w+%)?\//, '')
}

/** Tells the path of a control file, wherever it begins: a project may be anywhere. */
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

/** Tells texts that may be such a path when they are read closely, from those that cannot. */
export function controlPathHint(more: readonly string[]): RegExp {
  const chunks = [...controlPaths, ...more].map(needleOf).concat(toolbridgeFolder)
  const needed = [...new Set(chunks)].filter((chunk, _index, all) =>
    all.every((other) => other === chunk || !chunk.includes(other)),
  )
  return new RegExp(`${needed.map(escaped).join('|')}|%|\\p{Default_Ignorable_Code_Point}`, 'iu')
}

/**
 * Tells most texts that are no path at a glance: on the path of every call, where the closer look would cost more than all
 * else that is decided.
 */
export function pathPrefilter(more: readonly string[]): (text: string) => boolean {
  const isUsual = more.every((place) => place.includes('/') || hasExtension(needleOf(place)))
  return isUsual ? mayBePath : () => true
}

/** Not one expression: searching for single characters is many times quicker in long texts. */
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

/** A letter follows a dot. */
function hasExtension(text: string): boolean {
  for (let dot = text.indexOf('.'); dot !== -1; dot = text.indexOf('.', dot + 1)) {
    const next = text.charCodeAt(dot + 1) | 0x20
    if (next >= 0x61 && next <= 0x7a) return true
  }
  return false
}

/** The longest literal text of a place's name; of the folder around it where the name is but a star. */
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
