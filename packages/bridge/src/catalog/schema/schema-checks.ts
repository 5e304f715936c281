import type { JsonSchema } from '@toolbridge/client'
import { type Matcher, safeRegExp } from '@toolbridge/client/internal'
import type * as Ajv from 'ajv/dist/2020.js'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { lazyLibrary } from '../../lazy-library.ts'
import { modernizedWhole } from './modernize.ts'

/** Validates values against untrusted schemas. */
export interface SchemaChecks {
  /** The problems of a value; empty if valid, undefined if the schema is unusable. */
  problems(schema: JsonSchema, value: unknown): readonly string[] | undefined
  /** Returns whether a schema is valid JSON Schema 2020-12. */
  isSchema(schema: JsonSchema): boolean
}

type Check = (value: unknown) => readonly string[] | undefined

const maxKept = 1_000
const maxSchemaLength = 250_000

/**
 * Creates schema checks based on Ajv. Schemas are compiled on first use and cached; those that are too large or refer to
 * another document are unusable. Fetches nothing and ignores formats.
 */
export function createSchemaChecks(): SchemaChecks {
  const kept = new Map<JsonSchema, Check | undefined>()
  // Created on demand: it takes milliseconds, and many bridges never need it.
  let made: Ajv2020 | undefined
  const ajv = (): Ajv2020 => (made ??= createAjv())
  return {
    problems: (schema, value) => {
      if (!kept.has(schema)) {
        const [oldest] = kept.size >= maxKept ? kept.keys() : []
        if (oldest !== undefined) kept.delete(oldest)
        kept.set(schema, compiled(ajv(), schema))
      }
      return kept.get(schema)?.(value)
    },
    isSchema: (schema) => ajv().validateSchema(schema) === true,
  }
}

const ajvLibrary = lazyLibrary<typeof Ajv>('ajv/dist/2020.js')

function createAjv(): Ajv2020 {
  return new (ajvLibrary().Ajv2020)({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    addUsedSchema: false,
    logger: false,
    ownProperties: true,
    code: {
      // Optimizing takes as long as the rest of the compilation, and a few validations never make up for it.
      optimize: false,
      regExp: Object.assign((pattern: string) => new NamedMatcher(pattern), { code: 'new RegExp' }),
    },
  })
}

function compiled(ajv: Ajv2020, schema: JsonSchema): Check | undefined {
  try {
    if (JSON.stringify(schema).length > maxSchemaLength) return undefined
    const modern = modernizedWhole(schema)
    const validate = ajv.compile(modern)
    ajv.removeSchema(modern)
    return (value) => problemsOf(validate, value)
  } catch {
    return undefined
  }
}

/** Undefined if the schema turns out to be invalid during validation. */
function problemsOf(validate: ValidateFunction, value: unknown): readonly string[] | undefined {
  try {
    if (validate(value)) return []
    const errors = (validate.errors ?? []).slice(0, 5)
    return errors.map(({ instancePath, message }) => `${instancePath || 'it'} ${message ?? 'does not fit'}`)
  } catch {
    return undefined
  }
}

/** Ajv identifies patterns by their text. */
class NamedMatcher {
  readonly #pattern: string
  readonly #matcher: Matcher

  constructor(pattern: string) {
    this.#pattern = pattern
    this.#matcher = safeRegExp(pattern)
  }

  test(text: string): boolean {
    return this.#matcher.test(text)
  }

  toString(): string {
    return this.#pattern
  }
}
