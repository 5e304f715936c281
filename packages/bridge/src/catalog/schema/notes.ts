/**
 * What lowering did to a schema. `keyword_dropped`: a constraint that the provider cannot express. `tuple_widened`: the
 * order of a tuple. `one_of_widened`: that only one of the choices may fit. `union_flattened`: choices at the top became
 * one object. `recursion_cut`: a shape that contains itself. `enum_widened`: values that cannot be listed.
 * `merge_widened`: two constraints of which one could be kept. `type_assumed`: a type that was not said.
 * `extra_properties`: properties that were not named. `not_strict`: the tool is offered without the provider's strict
 * mode. `description_trimmed`: a text beyond its budget.
 */
export type NoteCode =
  | 'keyword_dropped'
  | 'tuple_widened'
  | 'one_of_widened'
  | 'union_flattened'
  | 'recursion_cut'
  | 'enum_widened'
  | 'merge_widened'
  | 'type_assumed'
  | 'extra_properties'
  | 'not_strict'
  | 'description_trimmed'

/** One thing that lowering changed. */
export interface LoweringNote {
  readonly code: NoteCode
  /** `widened`: the model may say more than the tool takes. `narrowed`: less. `kept`: the same. */
  readonly effect: 'widened' | 'narrowed' | 'kept'
  /** Where in the arguments, as a JSON pointer; `*` stands for the items of an array. */
  readonly path: string
  readonly message: string
}

/** Collects notes, each once. */
export class Notes {
  readonly #notes = new Map<string, LoweringNote>()

  add(effect: LoweringNote['effect'], code: NoteCode, path: string, message: string): void {
    if (this.#notes.size < maxNotes)
      this.#notes.set(`${code} ${path} ${message}`, { code, effect, path, message })
    if (effect === 'widened') this.isWidened = true
  }

  /** The model may say something that the tool does not take, so what it says has to be checked. */
  isWidened = false

  get all(): readonly LoweringNote[] {
    return [...this.#notes.values()]
  }
}

const maxNotes = 200

/**
 * Why a tool cannot be offered to a provider. `schema_not_object`: the arguments are not an object.
 * `schema_unsatisfiable`: no arguments fit. `schema_malformed`: it is no JSON Schema. `reference_unresolvable`: a `$ref`
 * leads nowhere, or to another document. `schema_too_large`, `schema_too_deep`: beyond what is sent to a model.
 * `not_expressible`: the provider has no way to say it.
 */
export type QuarantineCode =
  | 'schema_not_object'
  | 'schema_unsatisfiable'
  | 'schema_malformed'
  | 'reference_unresolvable'
  | 'schema_too_large'
  | 'schema_too_deep'
  | 'not_expressible'

/** Thrown inside the compiler, never out of it. */
export class Unlowerable extends Error {
  override readonly name = 'Unlowerable'
  readonly code: QuarantineCode

  constructor(code: QuarantineCode, message: string) {
    super(message)
    this.code = code
  }
}
