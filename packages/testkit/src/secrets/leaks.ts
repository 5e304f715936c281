import { inspect } from 'node:util'
import { canaryIn, markLength, takeCanaryCount } from './canary.ts'

/** A leaked secret. */
export interface Leak {
  /** The channel of the leak. */
  readonly where: string
  readonly excerpt: string
}

/** Channels that are searched for secrets. */
export type Sink =
  | 'answers'
  | 'databases'
  | 'errors'
  | 'events'
  | 'files'
  | 'output'
  | 'questions'
  | 'spans'
  | 'states'

const leaks: Leak[] = []
const looked = new Map<Sink, number>()

/** Searches output for a canary and records its location. */
export function look(sink: Sink, text: string | Buffer, where: string = sink): void {
  looked.set(sink, (looked.get(sink) ?? 0) + 1)
  const excerpt = canaryIn(text)
  // The first leak of each location is enough.
  if (excerpt !== undefined && !leaks.some((leak) => leak.where === where)) leaks.push({ where, excerpt })
}

/** Searches an object at any depth. */
export function lookAt(sink: Sink, value: unknown): void {
  look(sink, inspect(value, { depth: 20, maxStringLength: null, maxArrayLength: null }))
}

/** Searches text that arrives in chunks, across their boundaries. */
export function lookAlong(sink: Sink, where: string): (piece: string) => void {
  let last = ''
  return (piece) => {
    look(sink, last + piece, where)
    last = (last + piece).slice(-markLength)
  }
}

/** Returns the leaks found so far and clears them. */
export function takeLeaks(): readonly Leak[] {
  return leaks.splice(0)
}

/** The number of secrets made and, per sink, of texts searched since the last call. */
export function takeCounts(): Readonly<Record<string, number>> {
  const counts = Object.fromEntries(looked)
  looked.clear()
  return { secrets: takeCanaryCount(), ...counts }
}
