import { homedir } from 'node:os'
import { decoded, folded, foldedPath, isRooted, normalizedPath, pathsOf } from './path-text.ts'

/**
 * Everything that a text can denote as a path or URL, folded: unchanged, trimmed and percent-decoded, as a normalized URL,
 * and as a path from a folder, the home folder or the root.
 */
export function pathReadings(text: string, folders: readonly string[]): readonly string[] {
  const readings = spellings(text).flatMap((each) => [
    folded(each),
    ...addressReadings(each).map(folded),
    ...[each, ...inHome(each), ...onDrive(each)]
      .flatMap(pathsOf)
      .flatMap((path) => pathsMeant(path, folders))
      .map(foldedPath),
  ])
  return [...new Set(readings)]
}

/** Everything that the URI of a resource can denote, folded. */
export function resourceReadings(uri: string): readonly string[] {
  const files = spellings(uri)
    .filter((each) => /^file:/i.test(each))
    .flatMap(pathsOf)
    .map((path) => `file://${path.startsWith('/') ? '' : '/'}${path}`)
  const readings = spellings(uri).flatMap((each) => [each, ...addressReadings(each)])
  return [...new Set([...readings.map(folded), ...files.map(foldedPath)])]
}

function spellings(text: string): readonly string[] {
  const plain = text.trim()
  return [...new Set([text, plain, ...(plain.includes('%') ? [decoded(plain)] : [])])]
}

/** A URL normalized, also without credentials and the trailing dot of the hostname. */
function addressReadings(text: string): readonly string[] {
  if (!/^[a-z][a-z0-9+.\s-]+:/i.test(text) || !URL.canParse(text)) return []
  const url = new URL(text)
  if (url.protocol === 'file:') return []
  const { href } = url
  url.username = ''
  url.password = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  return [href, url.href, decoded(url.href)]
}

function inHome(text: string): readonly string[] {
  return /^~(?=[/\\]|$)/.test(text) ? [`${homedir()}${text.slice(1)}`] : []
}

/** `C:x` is relative to the current folder of that drive. */
function onDrive(text: string): readonly string[] {
  return /^[A-Za-z]:(?![/\\])/.test(text) ? [text.slice(2)] : []
}

function pathsMeant(path: string, folders: readonly string[]): readonly string[] {
  if (isRooted(path)) return [path, ...folders.flatMap((folder) => insideOf(folder, path))]
  const inFolders = folders.map((folder) => normalizedPath(`${folder}/${path}`))
  // The depth of the base folder is unknown, so this may lead to the root.
  const fromRoot = path.startsWith('../') ? [`/${path.replaceAll('../', '')}`] : []
  return [path, ...fromRoot, ...inFolders]
}

function insideOf(folder: string, path: string): readonly string[] {
  const [text, beginning] = [foldedPath(path), `${foldedPath(normalizedPath(folder))}/`]
  return text.startsWith(beginning) ? [text.slice(beginning.length)] : []
}

/** Everything that a path pattern can denote, folded. A pattern for the content of a folder includes the folder. */
export function patternReadings(pattern: string): readonly string[] {
  const home = /^~(?=\/|$)/.test(pattern) ? [pattern.replace('~', normalizedPath(homedir()))] : []
  const onAnyDrive = /^[A-Za-z]:(?=\/)/.test(pattern) ? [pattern.slice(2)] : []
  const direct = /^file:|^\.{1,2}\/|\/\.{1,2}(?=\/|$)/i.test(pattern) ? [normalizedPath(pattern)] : []
  const all = [pattern, ...home, ...onAnyDrive, ...direct]
  return [...new Set([...all, ...all.flatMap(folderIn)])].map(folded)
}

/** The folder of a pattern for its content, unless it could be any folder. */
function folderIn(pattern: string): readonly string[] {
  const folder = pattern.replace(/\/\*+$/, '')
  return /[^*/]/.test(folder) ? [folder] : []
}

/** A path or URL normalized, also percent-decoded. */
export function plainReadings(text: string): readonly string[] {
  return spellings(text).flatMap((each) => {
    if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(each) || /^file:/i.test(each)) return pathsOf(each)
    return URL.canParse(each) ? [new URL(each).href] : [each]
  })
}
