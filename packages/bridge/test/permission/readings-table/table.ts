import { readFileSync } from 'node:fs'
import { readByNode } from './readers/node.mjs'

/** What a reader makes of a text or document; a reading that it refuses is missing. */
export interface Made {
  readonly scheme?: string
  /** Of an address. */
  readonly path?: string
  readonly decodedPath?: string
  /** The address in its normal form. */
  readonly address?: string
  /** The whole text, percent-decoded. */
  readonly decoded?: string
  /** The same, where `+` is a blank. */
  readonly decodedForm?: string
}

export interface Row {
  readonly node: Made
  readonly python: Made
  readonly go: Made
}

export interface Table {
  readonly texts: readonly (Row & { readonly text: string })[]
  readonly documents: readonly (Row & { readonly document: string })[]
}

/** What `scripts/readings-table.mjs` wrote. */
export function readingsTable(): Table {
  return JSON.parse(readFileSync(new URL('table.json', import.meta.url), 'utf8'))
}

/** The texts and documents that the table is made of. */
export function givenTexts(): { readonly texts: readonly string[]; readonly documents: readonly string[] } {
  const { texts, documents } = JSON.parse(readFileSync(new URL('texts.json', import.meta.url), 'utf8'))
  return { texts: Object.values<string[]>(texts).flat(), documents }
}

/**
 * The paths that a server may open: the decoded text, or its path if it is a `file:` address. Not those in which `+` is a
 * blank, as it is in the query of an address: `c++` is the name of a folder.
 */
export function pathsMade({ node, python, go }: Row): readonly string[] {
  const made = [node, python, go].flatMap(({ scheme, path, decodedPath, decoded }) => [
    ...(scheme === 'file' ? [path, decodedPath] : []),
    ...(decoded === undefined ? [] : [pathIn(decoded)]),
  ])
  return [...new Set(made)].flatMap((path) => (path === undefined || path === '' ? [] : [path]))
}

function pathIn(text: string): string {
  const { scheme, path, decodedPath = path } = readByNode(text)
  return scheme === 'file' && decodedPath !== undefined ? decodedPath : text
}
