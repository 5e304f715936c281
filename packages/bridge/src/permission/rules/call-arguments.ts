import { homedir } from 'node:os'
import { Readings } from '../readings/readings.ts'
import { finished, finishedInTurns, type Steps } from '../readings/steps.ts'
import { isContainer, type Leaf, leavesOf, openedJson, valuesAround } from './values.ts'

type Arguments = Readonly<Record<string, unknown>>

/** A test of the arguments of a call, which are read step by step. */
export type ArgumentTest = (call: CallArguments) => Steps<boolean>

/** The arguments of one call. What rules want to know of a value is computed once, however many rules ask. */
export class CallArguments {
  readonly args: Arguments
  /** Folders that relative paths may be relative to. */
  readonly folders: readonly string[]
  readonly #texts = new Map<string, KnownText>()
  readonly #opened = new Map<string, unknown>()
  readonly #leaves = new Map<string, readonly Leaf[]>()
  readonly #held = new Map<ArgumentTest, boolean>()

  constructor(args: Arguments, folders: readonly string[]) {
    this.args = args
    this.folders = folders
  }

  /** Returns whether a test holds. */
  holds(test: ArgumentTest): boolean {
    const known = this.#held.get(test) ?? finished(test(this))
    this.#held.set(test, known)
    return known
  }

  /** Computes tests in turns: megabytes of text take longer than others should wait. Rejects with the signal's reason. */
  async computeInTurns(tests: readonly ArgumentTest[], signal: AbortSignal | undefined): Promise<void> {
    await finishedInTurns(this.#compute(tests), signal)
  }

  /** All tests in one: many short ones would never end a turn. */
  *#compute(tests: readonly ArgumentTest[]): Steps<void> {
    for (const test of tests) {
      yield
      this.#held.set(test, yield* test(this))
    }
  }

  /** All scalars at a path, however a server may find them: see `valuesAround`. */
  *leavesAround(path: readonly string[], { names }: { readonly names: boolean }): Steps<readonly Leaf[]> {
    const key = JSON.stringify([path, names])
    const { open } = this
    const known = this.#leaves.get(key)
    if (known !== undefined) return known
    const leaves = yield* leavesOf(yield* valuesAround(this.args, path, open), { open, names })
    this.#leaves.set(key, leaves)
    return leaves
  }

  *readingsOf(text: string): Steps<Readings> {
    const known = this.#texts.get(text)
    if (known !== undefined) return known.readings
    const readings = new Readings(text)
    if (text.length > longText) yield* readings.compute()
    else if (text.length > mediumText) yield
    // Of very many texts, the first are known.
    if (this.#texts.size < maxKnown) this.#texts.set(text, { readings, inPlaces: undefined })
    return readings
  }

  /** The readings of a text as a text, an address, and a path from the folders of the call. */
  *inPlaces(text: string): Steps<readonly string[]> {
    const known = this.#texts.get(text)
    if (known?.inPlaces !== undefined) return known.inPlaces
    const readings = yield* this.readingsOf(text)
    const inPlaces = readings.inPlaces({ home: homedir(), folders: this.folders })
    if (this.#texts.has(text)) this.#texts.set(text, { readings, inPlaces })
    return inPlaces
  }

  /** The list, object or string in a JSON text. */
  readonly open = (text: string): unknown => {
    if (!this.#opened.has(text)) {
      if (this.#opened.size >= maxKnown) this.#opened.clear()
      this.#opened.set(text, openedJson(text))
    }
    return this.#opened.get(text)
  }
}

interface KnownText {
  readonly readings: Readings
  readonly inPlaces: readonly string[] | undefined
}

const longText = 32_768
/** Reading several of these is as much work as reading a long one. */
const mediumText = 1_024
const maxKnown = 50_000

/** Returns whether arguments are so large that testing them so often takes more than a moment. */
export function isLarge(args: unknown, tests: number): boolean {
  const rounds = Math.ceil(tests / manyTests)
  let [length, count] = [0, 0]
  const waiting: unknown[] = [args]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') length += next.length
    else if (isContainer(next)) {
      // A list of equal items has as many steps as its length.
      for (const name in next) {
        count += 1
        length += name.length
        if (count * rounds > maxValues) return true
        waiting.push(Reflect.get(next, name))
      }
    }
    if (length * rounds > longText) return true
  }
  return false
}

const maxValues = 1_000
/** As many take no longer than reading the values does. */
const manyTests = 32
