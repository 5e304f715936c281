import { isDeepStrictEqual } from 'node:util'
import { dialectNamed } from '../dialects/all.ts'
import type { FieldOutcome } from '../fields/field-rule.ts'
import { defaultFacts, type HostFacts } from '../spec/host-facts.ts'
import { defaultPolicy, type Policy } from '../spec/policy.ts'
import type { Issue } from '../spec/issue.ts'
import {
  type ConfigReading,
  type OpenedDocument,
  openDocument,
  type ReadConfigOptions,
  readOpened,
} from './read-config.ts'

/** How one field of the file was read. */
export interface ExplainedField {
  /** Name of the server; empty for a field outside of the servers. */
  readonly server: string
  /** JSON pointer of the field. */
  readonly path: string
  /** Line of the field, starting at 1. */
  readonly line: number
  /** Column of the field, starting at 1. */
  readonly column: number
  /** Whether the field was kept, translated, dropped or refused. */
  readonly outcome: FieldOutcome
  /** The canonical fields it was read into, or why it was not used. */
  readonly reason: string
}

/** The value of a policy and where it comes from. */
export interface ExplainedPolicy {
  /** Name of the policy. */
  readonly policy: keyof Policy
  /** Its value. */
  readonly value: unknown
  /** Whether the value is the default or a preset of the dialect. */
  readonly from: 'default' | 'dialect'
}

/** A fact about the host, which cannot be set. */
export interface ExplainedFact {
  /** Name of the fact. */
  readonly fact: keyof HostFacts
  /** Its value. */
  readonly value: unknown
  /** Whether the host differs from the default. */
  readonly from: 'default' | 'dialect'
}

/** The result of `explainConfig`. */
export interface ConfigExplanation extends ConfigReading {
  /** The outcome of every field. */
  readonly fields: readonly ExplainedField[]
  /** The value of every policy. */
  readonly policies: readonly ExplainedPolicy[]
  /** Facts about the host. */
  readonly facts: readonly ExplainedFact[]
}

/** Reads a configuration and reports for every field whether it was kept, translated, dropped or refused, and why. */
export function explainConfig(text: string, options: ReadConfigOptions): ConfigExplanation {
  return explainOpened(openDocument(text, options), options)
}

/** Explains a document that `openDocument` returned. */
export function explainOpened(opened: OpenedDocument | Issue, options: ReadConfigOptions): ConfigExplanation {
  const fields: ExplainedField[] = []
  const reading = readOpened(
    opened,
    options,
    (server, { pointer }, { line, column }, { outcome, reason }) => {
      fields.push({ server, path: pointer, line, column, outcome, reason })
    },
  )
  const { preset = {}, facts = {} } = dialectNamed(reading.dialect) ?? {}
  return {
    ...reading,
    fields,
    policies: explained(defaultPolicy, preset).map(({ key, ...rest }) => ({ policy: key, ...rest })),
    facts: explained(defaultFacts, facts).map(({ key, ...rest }) => ({ fact: key, ...rest })),
  }
}

interface Explained<T> {
  readonly key: keyof T
  readonly value: unknown
  readonly from: 'default' | 'dialect'
}

function explained<T extends object>(defaults: T, preset: Partial<T>): readonly Explained<T>[] {
  return Object.keys(defaults)
    .filter((key): key is keyof T & string => Object.hasOwn(defaults, key))
    .map((key) => {
      const value = preset[key] ?? defaults[key]
      return { key, value, from: isDeepStrictEqual(value, defaults[key]) ? 'default' : 'dialect' }
    })
}
