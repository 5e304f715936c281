import { homedir } from 'node:os'
import type { ArgumentPattern, Condition } from './argument-pattern.ts'
import { compileValueGlob, type GlobTest } from './glob.ts'
import { folded, foldedPath, isRooted, normalisedPath, pathsOf } from './path-text.ts'
import { canonicalJson, leavesOf, valuesAt } from './values.ts'

/** Tells whether the arguments of a call are what a rule is about. `folders`: what relative paths may be relative to. */
export type ArgumentTest = (args: Readonly<Record<string, unknown>>, folders: readonly string[]) => boolean

/**
 * Compiles a condition for a rule that narrows or for one that allows. In doubt the call is not let through: where a value
 * can be read in more than one way, or is a list, a rule that narrows holds if one reading fits, and one that allows only
 * if all do.
 */
export function compileArgument(
  { place, conditions }: ArgumentPattern,
  { narrows }: { readonly narrows: boolean },
): ArgumentTest {
  const tests = conditions.map((condition) => (narrows ? narrowingTest(condition) : allowingTest(condition)))
  const isAnywhere = place.length === 1 && place[0] === '**'
  return (args, folders) => {
    const values = isAnywhere ? [args] : valuesAt(args, place)
    const fits = (value: unknown): boolean => tests.some((test) => test(value, folders))
    return narrows ? values.some(fits) : values.length > 0 && values.every(fits)
  }
}

type ValueTest = (value: unknown, folders: readonly string[]) => boolean

function narrowingTest(condition: Condition): ValueTest {
  if (condition.kind === 'equals') return narrowingEquality(condition.value)
  const pattern = folded(condition.glob)
  const tests = looseTests(pattern)
  const readings = isAboutPaths(pattern) ? pathReadings : plainReadings
  return (value, folders) =>
    leavesOf(value).some((leaf) =>
      readings(textOf(leaf.value), folders).some((text) => tests.some((test) => test(text))),
    )
}

function narrowingEquality(wanted: unknown): ValueTest {
  const text = folded(canonicalJson(wanted))
  const isEqual = (value: unknown): boolean => folded(canonicalJson(value)) === text
  if (typeof wanted === 'object' && wanted !== null)
    return (value) => valuesAt(value, ['**']).some((inner) => isContainer(inner) && isEqual(inner))
  return (value) => leavesOf(value).some((leaf) => isEqual(leaf.value))
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Whoever denies a folder means the folder too, and not only what is in it. */
function looseTests(pattern: string): readonly GlobTest[] {
  const test = compileValueGlob(pattern, { loose: true })
  const folder = pattern.replace(/\/\*+$/, '')
  return folder === pattern || folder === '' ? [test] : [test, compileValueGlob(folder, { loose: true })]
}

function allowingTest(condition: Condition): ValueTest {
  if (condition.kind === 'equals') {
    const wanted = canonicalJson(condition.value)
    return (value) => canonicalJson(value) === wanted
  }
  const test = compileValueGlob(condition.glob, { loose: false })
  const isPath = isAboutPaths(condition.glob)
  return (value) => {
    const texts = leavesOf(value).map((leaf) => textOf(leaf.value))
    return texts.length > 0 && texts.every((text) => test(text) && (!isPath || test(unambiguous(text))))
  }
}

function isAboutPaths(pattern: string): boolean {
  return /[/\\~]/.test(pattern)
}

function textOf(leaf: unknown): string {
  return typeof leaf === 'string' ? leaf : String(leaf)
}

function plainReadings(text: string): readonly string[] {
  return [folded(text)]
}

/** A text as it is, as an address or a path, and as what it may mean from a folder or from the home of a person. */
function pathReadings(text: string, folders: readonly string[]): readonly string[] {
  if (isNetworkAddress(text)) return [text, unambiguous(text), withoutDisguise(text)].map(folded)
  return [
    folded(text),
    ...pathsOf(text)
      .flatMap((path) => pathsMeant(path, folders))
      .map(foldedPath),
  ]
}

/** An address that leads to the same place without a user's name, and without the dot that may end a host's name. */
function withoutDisguise(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  url.username = ''
  url.password = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  return url.href
}

function pathsMeant(path: string, folders: readonly string[]): readonly string[] {
  if (/^~(?:\/|$)/.test(path)) return [path, normalisedPath(`${homedir()}${path.slice(1)}`)]
  if (isRooted(path)) return [path]
  const inFolders = folders.map((folder) => normalisedPath(`${folder}/${path}`))
  // Nobody knows how far up this leads, so it may lead to the root.
  const fromRoot = path.startsWith('../') ? [`/${path.replaceAll('../', '')}`] : []
  return [path, ...fromRoot, ...inFolders]
}

/** What a path or an address means when it is written without detours. */
function unambiguous(text: string): string {
  if (!isNetworkAddress(text)) return normalisedPath(text)
  return URL.canParse(text) ? new URL(text).href : text
}

function isNetworkAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text) && !/^file:/i.test(text)
}
