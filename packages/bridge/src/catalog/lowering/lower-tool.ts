import type { JsonSchema } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import type { SchemaChecks } from '../schema/schema-checks.ts'
import type { BridgeTool } from '../bridge-tool.ts'
import type { ProviderProfile } from '../profiles/profile.ts'
import { withinBudget } from './within-budget.ts'
import { Flattener } from '../schema/flattener.ts'
import { assertWithinLimits } from './assert-within-limits.ts'
import { Markers } from './markers.ts'
import { type LoweringNote, Notes, type QuarantineCode, Unlowerable } from '../schema/notes.ts'
import { openApiEmitter, withBareChoices } from './openapi-emitter.ts'
import { type RestoredArguments, ArgumentRestorer } from './argument-restorer.ts'
import { References } from '../schema/references.ts'
import { rootObject } from './root-object.ts'
import { strictEmitter } from './strict-emitter.ts'
import { SubsetLowering } from './subset-lowering.ts'
import { WholeLowering } from './whole-lowering.ts'

/** A tool in the form of a provider. */
export interface LoweredTool {
  /** The description, within the limit of the provider. */
  readonly description: string
  /** The lowered schema of the arguments. */
  readonly parameters: JsonSchema
  /** Whether the schema is valid for strict mode. */
  readonly isStrict: boolean
  /** The changes made by lowering. */
  readonly notes: readonly LoweringNote[]
  /**
   * Converts the arguments of a model to arguments of the tool. If lowering widened the schema, arguments that do not
   * match the original schema are rejected with the reason.
   */
  restore(args: unknown): RestoredArguments
}

/** A tool that is left out because the provider would reject the whole request. */
export interface QuarantinedTool {
  /** Stable code of the reason. */
  readonly code: QuarantineCode
  /** The reason as text. */
  readonly reason: string
}

export type Lowering =
  | { readonly kind: 'lowered'; readonly tool: LoweredTool }
  | { readonly kind: 'quarantined'; readonly why: QuarantinedTool }

/** Lowers a tool for a provider. Never throws. */
export function lowerTool(tool: BridgeTool, profile: ProviderProfile, checks: SchemaChecks): Lowering {
  const notes = new Notes()
  try {
    return { kind: 'lowered', tool: lowered(tool, profile, checks, notes) }
  } catch (error) {
    const { otherwise } = profile
    if (otherwise !== undefined && error instanceof Unlowerable)
      return notStrict(lowerTool(tool, otherwise, checks), error)
    const why = error instanceof Unlowerable ? error : unreadable(error)
    return { kind: 'quarantined', why: { code: why.code, reason: why.message } }
  }
}

/** A deeply nested schema can overflow the stack, which throws a `RangeError`. */
function unreadable(error: unknown): Unlowerable {
  return error instanceof RangeError
    ? new Unlowerable('schema_too_deep', 'the schema has too many levels')
    : new Unlowerable('schema_malformed', 'it is not a JSON Schema')
}

function notStrict(lowering: Lowering, { message }: Unlowerable): Lowering {
  if (lowering.kind === 'quarantined') return lowering
  const note: LoweringNote = { code: 'not_strict', effect: 'kept', path: '', message }
  return { kind: 'lowered', tool: { ...lowering.tool, notes: [note, ...lowering.tool.notes] } }
}

function lowered(
  { definition }: BridgeTool,
  profile: ProviderProfile,
  checks: SchemaChecks,
  notes: Notes,
): LoweredTool {
  const { inputSchema } = definition
  const original: JsonSchema = isJsonObject(inputSchema) ? inputSchema : {}
  if (JSON.stringify(original).length > maxOriginalLength)
    throw new Unlowerable('schema_too_large', `the schema is longer than ${maxOriginalLength} characters`)
  const markers = new Markers()
  const parameters = lowerSchema(original, profile, notes, markers)
  if (JSON.stringify(parameters).length > profile.maxSchemaLength)
    throw new Unlowerable(
      'schema_too_large',
      `the schema is longer than ${profile.maxSchemaLength} characters`,
    )
  if (!checks.isSchema(parameters))
    throw new Unlowerable('schema_malformed', 'the schema does not keep to the rules of JSON Schema')
  const description = describe(definition, profile, notes)
  const restorer = new ArgumentRestorer(parameters, markers, checks)
  const problemsOf = notes.isWidened ? (args: unknown) => checks.problems(original, args) ?? [] : () => []
  return {
    description,
    parameters,
    isStrict: profile.schema.kind === 'strict',
    notes: notes.all,
    restore: (args) => restored(args ?? {}, restorer, problemsOf),
  }
}

function restored(
  args: unknown,
  restorer: ArgumentRestorer,
  problemsOf: (args: unknown) => readonly string[],
): RestoredArguments {
  if (!isJsonObject(args)) return { kind: 'refused', reason: 'the arguments are not an object' }
  const original = restorer.restore(args)
  const problems = problemsOf(original)
  if (problems.length === 0) return { kind: 'arguments', args: original }
  return { kind: 'refused', reason: `the arguments do not fit: ${problems.join('; ')}` }
}

function describe(
  { name, title, description }: BridgeTool['definition'],
  { descriptionBudget }: ProviderProfile,
  notes: Notes,
): string {
  const text = description ?? title ?? name
  if (text.length > descriptionBudget)
    notes.add(
      'kept',
      'description_trimmed',
      '',
      `the description is longer than ${descriptionBudget} characters`,
    )
  return withinBudget(text, descriptionBudget)
}

const maxOriginalLength = 500_000

function lowerSchema(
  original: JsonSchema,
  profile: ProviderProfile,
  notes: Notes,
  markers: Markers,
): JsonSchema {
  const flattener = new Flattener(new References(original), notes)
  const parts = { flattener, notes, markers, profile }
  const root = rootObject(original, flattener, notes)
  if (profile.schema.kind === 'whole') return new WholeLowering(parts, profile.schema).lower(root)
  const isStrict = profile.schema.kind === 'strict'
  const emitter = isStrict ? strictEmitter(markers) : openApiEmitter
  const parameters = new SubsetLowering(parts, profile.schema, emitter).lower(root)
  assertWithinLimits(parameters, profile.schema)
  return isStrict ? parameters : withBareChoices(parameters)
}
