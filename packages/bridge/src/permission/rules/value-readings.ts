import { homedir } from 'node:os'
import { decoded, folded, foldedPath, isRooted, normalizedPath, pathsOf } from './path-text.ts'

/**
 * All that a text can mean as a path or as an address, folded: as it is, without blanks around it and with percent signs
 * read, as an address without detours, and as a path from a folder, from the home of a person or from the root.
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

/** All that the address of a resource can mean, folded. A file has one address, whatever its path is like. */
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

/** What an address of the network is without detours, and without what does not change where it leads. */
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

/** `C:x` is relative to some folder of that drive. */
function onDrive(text: string): readonly string[] {
  return /^[A-Za-z]:(?![/\\])/.test(text) ? [text.slice(2)] : []
}

function pathsMeant(path: string, folders: readonly string[]): readonly string[] {
  if (isRooted(path)) return [path, ...folders.flatMap((folder) => insideOf(folder, path))]
  const inFolders = folders.map((folder) => normalizedPath(`${folder}/${path}`))
  // Nobody knows how far up this leads, so it may lead to the root.
  const fromRoot = path.startsWith('../') ? [`/${path.replaceAll('../', '')}`] : []
  return [path, ...fromRoot, ...inFolders]
}

function insideOf(folder: string, path: string): readonly string[] {
  const [text, beginning] = [foldedPath(path), `${foldedPath(normalizedPath(folder))}/`]
  return text.startsWith(beginning) ? [text.slice(beginning.length)] : []
}

/** All that a pattern for paths can mean, folded. Whoever denies a folder means the folder too, not only what is in it. */
export function patternReadings(pattern: string): readonly string[] {
  const home = /^~(?=\/|$)/.test(pattern) ? [pattern.replace('~', normalizedPath(homedir()))] : []
  const onAnyDrive = /^[A-Za-z]:(?=\/)/.test(pattern) ? [pattern.slice(2)] : []
  const direct = /^file:|^\.{1,2}\/|\/\.{1,2}(?=\/|$)/i.test(pattern) ? [normalizedPath(pattern)] : []
  const all = [pattern, ...home, ...onAnyDrive, ...direct]
  return [...new Set([...all, ...all.flatMap(folderIn)])].map(folded)
}

/** The folder whose content a pattern is about, unless that could be any. */
function folderIn(pattern: string): readonly string[] {
  const folder = pattern.replace(/\/\*+$/, '')
  return /[^*/]/.test(folder) ? [folder] : []
}

/** What a path or an address means when it is written without detours, also if its percent signs are read. */
export function plainReadings(text: string): readonly string[] {
  return spellings(text).flatMap((each) => {
    if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(each) || /^file:/i.test(each)) return pathsOf(each)
    return URL.canParse(each) ? [new URL(each).href] : [each]
  })
}
