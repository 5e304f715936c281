import { dialects } from '../../config/dialects/all.ts'
import { compileGlob, type GlobTest } from '../../text/glob.ts'
import { folded, foldedPath } from '../readings/folding.ts'
import { foldedGlob, needleOf, toolbridgeFolder } from './path-like.ts'

/** Settings files of hosts that define no servers but decide which ones start or what needs an approval. */
const furtherPlaces: readonly string[] = [
  '.agents/config.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.vscode/settings.json',
]

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
  const ends = new RegExp(`(?:^|/)(?:${folded(tails.join('|'))})$`)
  const globs = more.map((glob): GlobTest => compileGlob(foldedGlob(glob), (literal) => literal))
  return (path) => {
    const text = foldedPath(path)
    return (
      ends.test(text) ||
      `/${text}/`.includes(`/${toolbridgeFolder}/`) ||
      globs.some((matches) => matches(text))
    )
  }
}

/**
 * A pattern that matches every text with the path of a control file, after `folded` unless the text is plain. It also
 * matches what a server may decode: percent-encoded texts, `file:` URLs, JSON lists and JSON texts.
 */
export function controlPathHint(more: readonly string[]): RegExp {
  const parts = [...controlPaths, ...more, toolbridgeFolder].map((place) => needleOf(foldedGlob(place)))
  const needles = [...new Set(parts)].filter((part, _index, all) =>
    all.every((other) => other === part || !part.includes(other)),
  )
  return new RegExp(String.raw`${needles.map(escaped).join('|')}|%|^file:|^\s*[["]`, 'i')
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}
