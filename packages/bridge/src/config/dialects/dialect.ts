import type { Field, Report } from '../document.ts'
import type { ServerSpec } from '../spec.ts'

/** Where hosts differ in what the same words mean. */
export interface DialectPolicy {
  /** `text`: strings only. `scalars`: numbers and booleans become text, and null leaves the variable out. */
  readonly envValues: 'text' | 'scalars'
  /** Fields beside the servers that are known and change nothing about them. */
  readonly knownFields: readonly string[]
}

export interface DialectInput {
  readonly file: string
  /** The fields of the document's root object. */
  readonly fields: readonly Field[]
  readonly report: Report
}

/** One way of writing server definitions down: how to know it, how to read it, and what its words mean. */
export interface Dialect {
  readonly name: string
  readonly policy: DialectPolicy
  recognises(fields: readonly Field[]): boolean
  /** The definitions without errors; everything else is reported. */
  read(input: DialectInput): readonly ServerSpec[]
}
