import { isDeepStrictEqual } from 'node:util'
import { dialectNamed } from '../dialects/all.ts'
import type { FieldOutcome } from '../fields/field-rule.ts'
import { defaultPolicy, type Policy } from '../spec/policy.ts'
import { type ConfigReading, type ReadConfigOptions, readConfigWith } from './read-config.ts'

/** What became of one field of one server, or of one beside the servers. */
export interface ExplainedField {
  /** Empty for a field that stands beside the servers. */
  readonly server: string
  /** JSON pointer, line and column of the field. */
  readonly path: string
  readonly line: number
  readonly column: number
  readonly outcome: FieldOutcome
  /** What it became, or why it did not become anything. */
  readonly reason: string
}

/** The value of a policy and what set it. */
export interface ExplainedPolicy {
  readonly policy: keyof Policy
  readonly value: unknown
  readonly from: 'default' | 'dialect'
}

export interface ConfigExplanation extends ConfigReading {
  readonly fields: readonly ExplainedField[]
  readonly policies: readonly ExplainedPolicy[]
}

/** Reads a configuration and says of every field whether it was kept, translated, dropped or refused, and why. */
export function explainConfig(text: string, options: ReadConfigOptions): ConfigExplanation {
  const fields: ExplainedField[] = []
  const reading = readConfigWith(
    text,
    options,
    (server, { pointer }, { line, column }, { outcome, reason }) => {
      fields.push({ server, path: pointer, line, column, outcome, reason })
    },
  )
  return { ...reading, fields, policies: explainPolicies(reading.dialect) }
}

function explainPolicies(dialect: string): readonly ExplainedPolicy[] {
  const preset = dialectNamed(dialect)?.preset ?? {}
  const policy: Policy = { ...defaultPolicy, ...preset }
  return Object.keys(policy)
    .filter((key): key is keyof Policy => Object.hasOwn(defaultPolicy, key))
    .map((key) => ({
      policy: key,
      value: policy[key],
      from:
        Object.hasOwn(preset, key) && !isDeepStrictEqual(policy[key], defaultPolicy[key])
          ? 'dialect'
          : 'default',
    }))
}
