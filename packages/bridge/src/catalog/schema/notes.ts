/**
 * The changes of lowering. `keyword_dropped`: an unsupported constraint was removed. `tuple_widened`: the order of a tuple
 * was lost. `one_of_widened`: `oneOf` became `anyOf`. `union_flattened`: choices at the root became one object.
 * `recursion_cut`: a recursive schema was truncated. `enum_widened`: an enum could not be expressed. `merge_widened`: one
 * of two constraints was dropped. `type_assumed`: a missing type was assumed. `extra_properties`: additional properties
 * changed. `not_strict`: the tool does not use strict mode. `description_trimmed`: a description was truncated.
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

/** One change of lowering. */
export interface LoweringNote {
  readonly code: NoteCode
  /** `widened`: the lowered schema accepts more than the original. `narrowed`: less. `kept`: the same. */
  readonly effect: 'widened' | 'narrowed' | 'kept'
  /** Position in the arguments as a JSON pointer; `*` means the items of an array. */
  readonly path: string
  readonly message: string
}

/** Collects notes without duplicates. */
export class Notes {
  readonly #notes = new Map<string, LoweringNote>()

  add(effect: LoweringNote['effect'], code: NoteCode, path: string, message: string): void {
    if (this.#notes.size < maxNotes)
      this.#notes.set(`${code} ${path} ${message}`, { code, effect, path, message })
    if (effect === 'widened') this.isWidened = true
  }

  /** Whether arguments must be checked because the lowered schema accepts more than the original. */
  isWidened = false

  get all(): readonly LoweringNote[] {
    return [...this.#notes.values()]
  }
}

const maxNotes = 200

/**
 * Why a tool is quarantined. `schema_not_object`: the arguments are not an object. `schema_unsatisfiable`: no arguments
 * match. `schema_malformed`: not a JSON Schema. `reference_unresolvable`: a `$ref` has no target or points to another
 * document. `schema_too_large`, `schema_too_deep`: a limit is exceeded. `not_expressible`: the provider cannot express it.
 */
export type QuarantineCode =
  | 'schema_not_object'
  | 'schema_unsatisfiable'
  | 'schema_malformed'
  | 'reference_unresolvable'
  | 'schema_too_large'
  | 'schema_too_deep'
  | 'not_expressible'

/** Thrown and caught inside the lowering. */
export class Unlowerable extends Error {
  override readonly name = 'Unlowerable'
  readonly code: QuarantineCode

  constructor(code: QuarantineCode, message: string) {
    super(message)
    this.code = code
  }
}
