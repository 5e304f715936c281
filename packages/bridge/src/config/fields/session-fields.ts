import { parsedUrl } from '@toolbridge/client/internal'
import type { Finding } from '../documents/config-document.ts'
import type { SpecFieldName } from '../spec/spec-fields.ts'
import { parseVariables } from '../variables/variables.ts'
import { quoted } from './entry-reader.ts'
import type { FieldRule, FieldTable } from './field-rule.ts'

/**
 * Which texts of a saved field are shown again. `word`: of a fixed vocabulary. `command`, `arguments`, `url`, `auth`: those
 * that are surely no secrets. `reference`: only references to variables.
 */
export type ShownTexts = 'word' | 'command' | 'arguments' | 'url' | 'auth' | 'reference'

/** How a canonical field is treated in a definition that a user of a platform saves. */
type SessionField =
  | { readonly use: 'saved'; readonly shown: ShownTexts }
  | { readonly use: 'dropped' }
  | { readonly use: 'refused'; readonly code: string; readonly reason: string; readonly fix: string }

const restricts = refused('field_restricts', 'it restricts the server', 'use a permission rule instead')
const readsMachine = refused(
  'not_for_session',
  'it uses the machine that runs the server',
  'enter the values, which are stored encrypted',
)

/** The description of a saved server: every canonical field, whether it can be saved, and what is shown of it. */
const sessionFields: Readonly<Record<SpecFieldName, SessionField>> = {
  transport: saved('word'),
  enabled: saved('word'),
  required: { use: 'dropped' },
  readOnly: restricts,
  start: saved('word'),
  replace: saved('word'),
  startMs: saved('word'),
  callMs: saved('word'),
  maxConcurrency: saved('word'),
  allow: restricts,
  deny: restricts,
  approvalDefault: restricts,
  approvalTools: restricts,
  command: saved('command'),
  args: saved('arguments'),
  env: saved('reference'),
  cwd: refused(
    'not_for_session',
    'it is a folder of the machine that runs the server',
    'use absolute paths in "args"',
  ),
  envFile: readsMachine,
  inheritEnv: restricts,
  inheritNames: readsMachine,
  unsetEnv: restricts,
  url: saved('url'),
  headers: saved('reference'),
  headersHelper: readsMachine,
  auth: saved('auth'),
  inputs: { use: 'dropped' },
  policy: restricts,
}

function saved(shown: ShownTexts): SessionField {
  return { use: 'saved', shown }
}

function refused(code: string, reason: string, fix: string): SessionField {
  return { use: 'refused', code, reason, fix }
}

/** Returns which texts of a field are shown again; of a field that is not saved, references to variables only. */
export function shownTexts(rule: FieldRule | undefined): ShownTexts {
  const [field] = (rule?.specFields ?? []).map((name) => sessionFields[name])
  return field?.use === 'saved' ? field.shown : 'reference'
}

/** The table of a dialect for definitions that a user of a platform saves. */
export function sessionTable(table: FieldTable): FieldTable {
  return Object.fromEntries(Object.entries(table).map(([key, rule]) => [key, sessionRule(rule)]))
}

function sessionRule(rule: FieldRule): FieldRule {
  const uses = rule.specFields.map((name) => sessionFields[name])
  const refusal = uses.find((field) => field.use === 'refused')
  if (refusal !== undefined)
    return uses.some(({ use }) => use === 'saved') ? refusedInPart(rule) : refusedRule(rule, refusal)
  if (uses.some(({ use }) => use === 'dropped')) return droppedRule(rule)
  return rule.specFields.includes('url') ? checkedUrl(rule) : rule
}

type Refusal = SessionField & { readonly use: 'refused' }

function refusedRule(rule: FieldRule, refusal: Refusal): FieldRule {
  return {
    ...rule,
    outcome: 'refused',
    read: (field, entry) => entry.refuse(field, refusalOf(quoted(field), refusal)),
  }
}

/** A field that sets several canonical fields is refused only if it sets one that cannot be saved. */
function refusedInPart(rule: FieldRule): FieldRule {
  return {
    ...rule,
    read: (field, entry) => {
      rule.read(field, entry)
      for (const name of rule.specFields) {
        const treatment = sessionFields[name]
        if (treatment.use === 'refused' && entry.specFields[name] !== undefined)
          entry.refuse(field, refusalOf(`a part of ${quoted(field)}`, treatment))
      }
    },
  }
}

function refusalOf(what: string, { code, reason, fix }: Refusal): Omit<Finding, 'severity'> {
  return {
    code,
    message: `${what} is not supported for saved servers: ${reason}`,
    fix: `remove it, and ${fix}`,
  }
}

function droppedRule(rule: FieldRule): FieldRule {
  return {
    ...rule,
    outcome: 'dropped',
    read: (field, entry) =>
      entry.drop(field, {
        code: 'field_dropped',
        message: `${quoted(field)} is not supported for saved servers and was dropped`,
        fix: 'remove it',
      }),
  }
}

/** A URL with variables is checked when they are replaced. */
function checkedUrl(rule: FieldRule): FieldRule {
  return {
    ...rule,
    read: (field, entry) => {
      rule.read(field, entry)
      const { url } = entry.specFields
      if (url === undefined || isUsableUrl(url)) return
      entry.refuse(field, {
        code: 'url_unsupported',
        message: `${quoted(field)} must be an http or https URL`,
        fix: 'write an absolute URL, such as "https://tools.example/mcp"',
      })
    },
  }
}

function isUsableUrl(url: string): boolean {
  if (parseVariables(url).some(({ kind }) => kind !== 'text')) return true
  return ['http:', 'https:', 'ws:', 'wss:'].includes(parsedUrl(url)?.protocol ?? '')
}
