import type { ArgumentPattern, Condition } from './argument-pattern.ts'
import { compileValueGlob } from '../../text/glob.ts'
import { compatible, folded } from '../readings/folding.ts'
import { Pace, finished, type Steps } from '../readings/steps.ts'
import { means, scalarIn } from '../readings/words.ts'
import { type ArgumentTest, CallArguments } from './call-arguments.ts'
import { isAboutPaths, patternReadings } from './pattern-readings.ts'
import {
  type Comparison,
  isContainer,
  isSameJson,
  leavesOf,
  openedJson,
  valuesAround,
  valuesAt,
} from './values.ts'

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
  const about = conditions.filter((condition) => isAboutPaths(textOf(condition)))
  const test = narrowingArgument(['path'], about)
  return (path, folders) => finished(test(new CallArguments({ path }, folders)))
}

function textOf(condition: Condition): string {
  if (condition.kind === 'glob') return condition.glob
  return typeof condition.value === 'string' ? condition.value : ''
}

function narrowingArgument(path: readonly string[], conditions: readonly Condition[]): ArgumentTest {
  const paths = joinings(path)
  const tests = conditions.map(narrowingTest)
  return function* (call) {
    for (const each of paths)
      for (const test of tests) if (yield* test(call, isAnywhere(each) ? [] : each)) return true
    return false
  }
}

/** The ways to read a path whose names may contain dots themselves. Of a long one, only the usual and the shortest. */
function joinings(path: readonly string[]): readonly (readonly string[])[] {
  const [first, ...rest] = path
  if (first === undefined || rest.length === 0) return [path]
  if (path.length > maxJoined) return [path, [path.join('.')]]
  return joinings(rest).flatMap(([next = '', ...others]) => [
    [first, next, ...others],
    [`${first}.${next}`, ...others],
  ])
}

const maxJoined = 5

/** Tests the values at a path. */
type ValuesTest = (call: CallArguments, path: readonly string[]) => Steps<boolean>

function isAnywhere([first, ...rest]: readonly string[]): boolean {
  return first === '**' && rest.length === 0
}

function narrowingTest(condition: Condition): ValuesTest {
  const wanted = condition.kind === 'glob' ? condition.glob : condition.value
  if (typeof wanted !== 'string') return isContainer(wanted) ? someContainer(wanted) : someScalar(wanted)
  const isGlob = condition.kind === 'glob'
  const matches = someText(wanted, (pattern) =>
    isGlob ? compileValueGlob(pattern, { loose: true }) : (text) => text === pattern,
  )
  const scalar = scalarIn(wanted)
  return scalar === undefined ? matches : either(matches, someScalar(scalar))
}

function either(one: ValuesTest, other: ValuesTest): ValuesTest {
  return function* (call, path) {
    return (yield* one(call, path)) || (yield* other(call, path))
  }
}

function someText(wanted: string, compile: (text: string) => (text: string) => boolean): ValuesTest {
  const isPath = isAboutPaths(wanted)
  const tests = (isPath ? patternReadings(wanted) : [folded(wanted)]).map(compile)
  return function* (call, path) {
    const pace = new Pace()
    for (const { value } of yield* call.leavesAround(path, { names: isPath })) {
      if (pace.isOver) yield
      const text = String(value)
      const readings = yield* call.readingsOf(text)
      if (readings.isDoubtful && isPath) return true
      const texts = isPath ? yield* call.inPlaces(text) : readings.texts
      if (texts.some((reading) => tests.some((test) => test(reading)))) return true
    }
    return false
  }
}

function someScalar(wanted: unknown): ValuesTest {
  return function* (call, path) {
    const pace = new Pace()
    for (const { value } of yield* call.leavesAround(path, { names: false })) {
      if (pace.isOver) yield
      if (means(value, wanted)) return true
    }
    return false
  }
}

/** Ignores what readers ignore in names and texts. */
const loosely: Comparison = {
  isSame: (given, wanted) =>
    typeof wanted === 'string' ? folded(String(given)) === folded(wanted) : means(given, wanted),
  nameOf: folded,
  open: openedJson,
}

const exactly: Comparison = { isSame: (given, wanted) => given === wanted, nameOf: (name) => name }

function someContainer(wanted: object): ValuesTest {
  return function* (call, path) {
    const pace = new Pace()
    for (const inner of yield* valuesAround(call.args, [...path, '**'], call.open)) {
      if (pace.isOver) yield
      if (isContainer(inner) && isSameJson(inner, wanted, loosely)) return true
    }
    return false
  }
}

function allowingArgument(path: readonly string[], conditions: readonly Condition[]): ArgumentTest {
  const tests = conditions.map(allowingTest)
  return function* (call) {
    const { values, isAmbiguous } = isAnywhere(path)
      ? { values: [call.args], isAmbiguous: false }
      : yield* valuesAt(call.args, path)
    if (values.length === 0 || isAmbiguous) return false
    for (const value of values) if (!(yield* someHolds(tests, call, value))) return false
    return true
  }
}

type AllowingTest = (call: CallArguments, value: unknown) => Steps<boolean>

function* someHolds(tests: readonly AllowingTest[], call: CallArguments, value: unknown): Steps<boolean> {
  for (const test of tests) if (yield* test(call, value)) return true
  return false
}

function allowingTest(condition: Condition): AllowingTest {
  if (condition.kind === 'equals') {
    const { value: wanted } = condition
    return function* (_call, value) {
      yield
      return isSameJson(value, wanted, exactly)
    }
  }
  const test = compileValueGlob(condition.glob, { loose: false })
  const isCompatible = compileValueGlob(compatible(condition.glob), { loose: false })
  const isPath = isAboutPaths(condition.glob)
  const isMeant = (text: string): boolean => test(text) || isCompatible(text)
  // Only such a pattern can match a JSON text by a path in it.
  const opens = isPath && condition.glob.startsWith('*')
  return function* (call, value) {
    const open = opens ? call.open : undefined
    const leaves = yield* leavesOf([value], { names: isPath, ...(open && { open }) })
    const pace = new Pace()
    for (const leaf of leaves) {
      if (pace.isOver) yield
      const text = String(leaf.value)
      if (!test(text)) return false
      const readings = yield* call.readingsOf(text)
      if (!(isPath ? readings.everyPath(isMeant) : readings.everySeparated(isMeant))) return false
    }
    return leaves.length > 0
  }
}
