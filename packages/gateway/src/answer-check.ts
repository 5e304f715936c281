import type { AnswerValue, ProblemIssue } from '@toolbridge/api'
import { addFormats, Ajv } from '@modelcontextprotocol/server/validators/ajv'
import { pointerStep } from './request-body.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * Everything that keeps an answer from fitting the form it answers; nothing when it fits once defaults are filled in. The
 * schema is built anew from the keywords that a form may have: a server's own could keep this process busy for ever.
 */
export function answerIssues(
  schema: Schema,
  content: Readonly<Record<string, AnswerValue>>,
): readonly ProblemIssue[] {
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    strict: false,
    validateSchema: false,
    logger: false,
  })
  addFormats(ajv, ['email', 'uri', 'date', 'date-time'])
  const validate = ajv.compile(formSchema(schema))
  if (validate(structuredClone(content))) return []
  return (validate.errors ?? []).map(({ instancePath, params, message = 'does not fit' }) => ({
    path: instancePath + fieldStep(params),
    message,
  }))
}

/** A field that is missing or unknown is named beside the path, not in it. */
function fieldStep(params: Schema): string {
  const field = params['missingProperty'] ?? params['additionalProperty']
  return typeof field === 'string' ? pointerStep(field) : ''
}

function formSchema({ properties, required }: Schema): object {
  const fields = Object.entries(isRecord(properties) ? properties : {})
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
    required: isTextList(required) ? required : [],
    additionalProperties: false,
  }
}

const keywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: isText,
  format: (value) => isText(value) && ['email', 'uri', 'date', 'date-time'].includes(value),
  minLength: isNumber,
  maxLength: isNumber,
  minimum: isNumber,
  maximum: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  default: (value) => isText(value) || isNumber(value) || typeof value === 'boolean' || isTextList(value),
}

function fieldSchema(field: unknown): object {
  if (!isRecord(field)) return {}
  const kept = Object.entries(keywords).filter(([keyword, isUsable]) => isUsable(field[keyword]))
  const choices = choicesOf(field)
  return {
    ...Object.fromEntries(kept.map(([keyword]) => [keyword, field[keyword]])),
    ...(choices === undefined ? {} : { enum: choices }),
    ...(isRecord(field['items'])
      ? { items: { enum: choicesOf(field['items']) ?? [] }, uniqueItems: true }
      : {}),
  }
}

/** MCP writes choices as `enum`, or with titles as `oneOf` or `anyOf` of constants. */
function choicesOf(field: Schema): readonly unknown[] | undefined {
  if (isTextList(field['enum'])) return field['enum']
  const titled = field['oneOf'] ?? field['anyOf']
  return Array.isArray(titled)
    ? titled.map((choice: unknown) => (isRecord(choice) ? choice['const'] : undefined))
    : undefined
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
