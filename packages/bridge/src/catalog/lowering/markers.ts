import { createHash } from 'node:crypto'
import type { JsonSchema } from '@toolbridge/client'
import type { ProviderProfile } from '../profiles/profile.ts'
import { withinBudget } from './within-budget.ts'
import type { Notes } from '../schema/notes.ts'

/** Records what `ArgumentRestorer` needs to undo a lowering. */
export class Markers {
  /** Properties of lowered objects for which null means omitted. */
  readonly optional: WeakMap<JsonSchema, ReadonlySet<string>> = new WeakMap()
  /** Names of the tool by names for the provider. */
  readonly aliases: Map<string, string> = new Map()
  hasOptional = false

  /** Returns the name for the provider; equal names get equal aliases. */
  alias(name: string, { propertyName }: ProviderProfile): string {
    if (propertyName.test(name)) return name
    const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
    const alias = `p_${name.replaceAll(/[^A-Za-z0-9]/g, '_').slice(0, 40)}_${hash}`
    this.aliases.set(alias, name)
    return alias
  }

  markOptional(schema: JsonSchema, names: ReadonlySet<string>): void {
    if (names.size === 0) return
    this.optional.set(schema, names)
    this.hasOptional = true
  }

  /** Copies the marks of one schema to another. */
  copied(schema: JsonSchema, from: JsonSchema): JsonSchema {
    const names = this.optional.get(from)
    if (names !== undefined) this.optional.set(schema, names)
    return schema
  }
}

/** The hint that replaces a constraint. */
export function hintOf(keyword: string, value: unknown): string {
  return `${keyword} ${JSON.stringify(value)}`.slice(0, 200)
}

/** Returns whether the provider accepts a pattern. */
export function isAcceptedPattern(pattern: unknown, { hasLookaround }: ProviderProfile): boolean {
  return hasLookaround || typeof pattern !== 'string' || !/\(\?<?[=!]/.test(pattern)
}

/** The description of an argument with hints, within its limit; empty if there is nothing to say. */
export function describedBy(
  description: unknown,
  hints: readonly string[],
  {
    profile,
    notes,
    path,
  }: { readonly profile: ProviderProfile; readonly notes: Notes; readonly path: string },
): { readonly description?: string } {
  const text = typeof description === 'string' ? description : ''
  const hint = hints.length === 0 ? '' : withinBudget(`(${hints.join('; ')})`, profile.argumentBudget)
  const whole = [text, hint].filter((part) => part !== '').join(' ')
  if (whole === '') return {}
  if (whole.length <= profile.argumentBudget) return { description: whole }
  notes.add(
    'kept',
    'description_trimmed',
    path,
    `a description is longer than ${profile.argumentBudget} characters`,
  )
  const room = profile.argumentBudget - (hint === '' ? 0 : hint.length + 1)
  return { description: [withinBudget(text, room), hint].filter((part) => part !== '').join(' ') }
}
