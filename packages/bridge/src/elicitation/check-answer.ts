import type { ElicitValue, JsonSchema } from '@toolbridge/client'
import { parsedUrl } from '@toolbridge/client/internal'
import type * as AjvLibrary from 'ajv'
import type { ErrorObject } from 'ajv'
import { lazyLibrary } from '../lazy-library.ts'
import { type FormField, readForm, type TextFormat } from './form.ts'

/** Loaded with the first answer: most processes never get one. */
const loadAjv = lazyLibrary<typeof AjvLibrary>('ajv')

/** A value of an answer that does not match the schema. */
export interface AnswerIssue {
  /** JSON pointer of the field. */
  readonly path: string
  /** The problem, without the value. */
  readonly message: string
}

/** An answer that matches the schema, completed with defaults, or its issues. */
export type CheckedAnswer =
  | { readonly kind: 'valid'; readonly content: Readonly<Record<string, ElicitValue>> }
  | { readonly kind: 'invalid'; readonly issues: readonly AnswerIssue[] }

/** Checks an answer and completes it with defaults. Never quotes what was answered. */
export type AnswerCheck = (content: Readonly<Record<string, ElicitValue>>) => CheckedAnswer

/** Checks an answer against the schema of its question and fills in defaults. Channels call it before they answer. */
export async function checkAnswer(
  schema: JsonSchema,
  content: Readonly<Record<string, ElicitValue>>,
): Promise<CheckedAnswer> {
  const form = readForm(schema)
  if (form.kind === 'unsupported') return { kind: 'invalid', issues: [{ path: '', message: form.problem }] }
  return prepareAnswerCheck(form.fields)(content)
}

/** Issues as one line of text. */
export function describeIssues(issues: readonly AnswerIssue[]): string {
  return issues.map(({ path, message }) => `${path.slice(1) || 'the answer'} ${message}`).join('; ')
}

/**
 * Compiles the check of answers to a form. The schema is rebuilt from the fields of the form, so that only names, limits
 * and choices of the server's schema reach the compiler.
 */
export function prepareAnswerCheck(fields: readonly FormField[]): AnswerCheck {
  return compileCheck(schemaOf(fields))
}

const maxKept = 100
const maxKeptLength = 10_000

/** Like `prepareAnswerCheck`, but keeps the checks of the last forms: servers ask with the same few forms. */
export function createAnswerChecks(): (fields: readonly FormField[]) => AnswerCheck {
  const kept = new Map<string, AnswerCheck>()
  return (fields) => {
    const schema = schemaOf(fields)
    const text = JSON.stringify(schema)
    const check = kept.get(text) ?? compileCheck(schema)
    kept.delete(text)
    if (text.length <= maxKeptLength) kept.set(text, check)
    const [oldest] = kept.size > maxKept ? kept.keys() : []
    if (oldest !== undefined) kept.delete(oldest)
    return check
  }
}

function compileCheck(schema: object): AnswerCheck {
  const { Ajv } = loadAjv()
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    validateSchema: false,
    meta: false,
    logger: false,
    strict: false,
    formats,
    // An answer is checked a few times at most.
    code: { optimize: false },
  })
  const validate = ajv.compile<Record<string, ElicitValue>>(schema)
  return (given) => {
    // Without a prototype, so that a field that is left out is not found there.
    const content: unknown = Object.assign(Object.create(null), structuredClone(given))
    if (validate(content)) return { kind: 'valid', content }
    return { kind: 'invalid', issues: (validate.errors ?? []).map(issue) }
  }
}

function issue({ instancePath, params, message = 'does not fit' }: ErrorObject): AnswerIssue {
  // A field that is missing or unknown is named beside the path, not in it.
  const field: unknown = params['missingProperty'] ?? params['additionalProperty']
  const step = typeof field === 'string' ? `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}` : ''
  return { path: instancePath + step, message }
}

const formats: Readonly<Record<TextFormat, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => parsedUrl(text) !== undefined,
  date: isDate,
  'date-time': (text) => {
    const [date = '', time = ''] = text.split(/[Tt ]/)
    return (
      isDate(date) &&
      /^\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(time) &&
      !Number.isNaN(Date.parse(text))
    )
  },
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  // A day that the month does not have rolls over into the next one.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function schemaOf(fields: readonly FormField[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    required: fields.filter((field) => field.isRequired).map((field) => field.name),
    additionalProperties: false,
  }
}

function fieldSchema(field: FormField): object {
  switch (field.kind) {
    case 'text': {
      const { minLength, maxLength, format } = field
      return defined({ type: 'string', minLength, maxLength, format, default: field.default })
    }
    case 'number': {
      const { minimum, maximum } = field
      return defined({ type: 'number', minimum, maximum, default: field.default })
    }
    case 'integer': {
      // Beyond these it would be another number that arrives.
      const minimum = Math.max(field.minimum ?? -Infinity, Number.MIN_SAFE_INTEGER)
      const maximum = Math.min(field.maximum ?? Infinity, Number.MAX_SAFE_INTEGER)
      return defined({ type: 'integer', minimum, maximum, default: field.default })
    }
    case 'flag':
      return defined({ type: 'boolean', default: field.default })
    case 'choice':
      return defined({ enum: field.choices.map((choice) => choice.value), default: field.default })
    case 'choices': {
      const { minItems, maxItems } = field
      const items = { enum: field.choices.map((choice) => choice.value) }
      return defined({ type: 'array', items, uniqueItems: true, minItems, maxItems, default: field.default })
    }
  }
}

function defined(schema: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
}
