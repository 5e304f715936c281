import { homedir } from 'node:os'
import { folded } from '../readings/folding.ts'
import { normalizedPath } from '../readings/paths.ts'

/** Everything that a path pattern can denote, folded. A pattern for the content of a folder includes the folder. */
export function patternReadings(pattern: string): readonly string[] {
  const home = /^~(?=\/|$)/.test(pattern) ? [pattern.replace('~', () => normalizedPath(homedir()))] : []
  const onAnyDrive = /^[A-Za-z]:(?=\/)/.test(pattern) ? [pattern.slice(2)] : []
  const direct = /^file:|^\.{1,2}\/|\/\.{1,2}(?=\/|$)/i.test(pattern) ? [normalizedPath(pattern)] : []
  const all = [pattern, ...home, ...onAnyDrive, ...direct]
  return [...new Set([...all, ...all.flatMap(folderIn)])].map(folded)
}

/** The folder of a pattern for its content, unless it could be any folder. */
function folderIn(pattern: string): readonly string[] {
  const stars = /\/\*+$/.exec(pattern)
  const folder = stars === null ? pattern : pattern.slice(0, stars.index)
  return /[^*/]/.test(folder) ? [folder] : []
}

/** Returns whether a pattern is about paths or addresses. */
export function isAboutPaths(pattern: string): boolean {
  return /[/\\~]/.test(pattern)
}
