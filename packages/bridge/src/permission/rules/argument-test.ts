import type { ArgumentPattern, Condition } from './argument-pattern.ts'
import { compileValueGlob } from '../../text/glob.ts'
import { folded } from './path-text.ts'
import { pathReadings, patternReadings, plainReadings } from './value-readings.ts'
import { anyJson, canonicalJson, leavesOf, valuesAround, valuesAt } from './values.ts'

/** Tests the arguments of a call. `folders`: folders that relative paths may be relative to. */
export type ArgumentTest = (args: Readonly<Record<string, unknown>>, folders: readonly string[]) => boolean

/**
 * Compiles a condition for a restricting rule (ask, deny) or an allowing one. A doubtful call is not allowed: if a value
 * has several readings or is a list, a restricting rule holds if one of them matches, an allowing rule only if all do.
 */
export function compileArgument(
  { path, conditions }: ArgumentPattern,
  { narrows }: { readonly narrows: boolean },
): ArgumentTest {
  return narrows ? narrowingArgument(path, conditions) : allowingArgument(path, conditions)
}

/** Tests a path. `folders`: folders that relative paths may be relative to. */
export type PathTest = (path: string, folders: readonly string[]) => boolean

/** Compiles whether a condition of a restricting rule holds for a path. One that is not about paths never does. */
export function compilePathTest({ conditions }: ArgumentPattern): PathTest {
  const tests = conditions.filter((condition) => isAboutPaths(textOf(condition))).map(narrowingTest)
  return (path, folders) => tests.some((test) => test(path, folders))
}

function textOf(condition: Condition): string {
  if (condition.kind === 'glob') return condition.glob
  return typeof condition.value === 'string' ? condition.value : ''
}

type ValueTest = (value: unknown, folders: readonly string[]) => boolean

function narrowingArgument(path: readonly string[], conditions: readonly Condition[]): ArgumentTest {
  const tests = conditions.map(narrowingTest)
  // The name of an argument may contain a dot.
  const paths = path.length > 1 ? [path, [path.join('.')]] : [path]
  return (args, folders) => {
    const values = isAnywhere(path) ? [args] : paths.flatMap((each) => valuesAround(args, each))
    return values.some((value) => tests.some((test) => test(value, folders)))
  }
}

function allowingArgument(path: readonly string[], conditions: readonly Condition[]): ArgumentTest {
  const tests = conditions.map(allowingTest)
  return (args, folders) => {
    const values = isAnywhere(path) ? [args] : valuesAt(args, path)
    return values.length > 0 && values.every((value) => tests.some((test) => test(value, folders)))
  }
}

function isAnywhere([first, ...rest]: readonly string[]): boolean {
  return first === '**' && rest.length === 0
}

function narrowingTest(condition: Condition): ValueTest {
  if (condition.kind === 'glob')
    return narrowingText(condition.glob, (pattern) => compileValueGlob(pattern, { loose: true }))
  const { value: wanted } = condition
  if (typeof wanted === 'string') return narrowingText(wanted, (literal) => (text) => text === literal)
  if (isContainer(wanted)) return narrowingContainer(wanted)
  return (value) => leavesOf(value, { opens: anyJson }).some((leaf) => means(leaf.value, wanted))
}

function narrowingText(wanted: string, compile: (text: string) => (text: string) => boolean): ValueTest {
  const isPath = isAboutPaths(wanted)
  const tests = (isPath ? patternReadings(wanted) : [folded(wanted)]).map(compile)
  const look = { opens: anyJson, names: isPath }
  return (value, folders) =>
    leavesOf(value, look).some((leaf) => {
      const text = String(leaf.value)
      const readings = isPath ? pathReadings(text, folders) : [folded(text)]
      return readings.some((reading) => tests.some((test) => test(reading)))
    })
}

function narrowingContainer(wanted: object): ValueTest {
  const text = folded(canonicalJson(wanted))
  return (value) =>
    valuesAround(value, ['**']).some((inner) => isContainer(inner) && folded(canonicalJson(inner)) === text)
}

/** Servers may accept a string for the number or boolean that it spells. */
function means(leaf: unknown, wanted: unknown): boolean {
  const text = folded(String(leaf)).trim()
  return text === String(wanted) || (typeof wanted === 'number' && text !== '' && Number(text) === wanted)
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function allowingTest(condition: Condition): ValueTest {
  if (condition.kind === 'equals') {
    const wanted = canonicalJson(condition.value)
    return (value) => canonicalJson(value) === wanted
  }
  const test = compileValueGlob(condition.glob, { loose: false })
  const isPath = isAboutPaths(condition.glob)
  return (value) => {
    const texts = leavesOf(value, { names: isPath }).map((leaf) => String(leaf.value))
    return (
      texts.length > 0 && texts.every((text) => test(text) && (!isPath || plainReadings(text).every(test)))
    )
  }
}

function isAboutPaths(pattern: string): boolean {
  return /[/\\~]/.test(pattern)
}
