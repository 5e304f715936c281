import { pointerSteps } from '@toolbridge/client/internal'
import {
  type ConfigDocument,
  type DocumentLocation,
  fieldOf,
  fieldsOf,
  itemsOf,
  parseDocument,
  repeatedFields,
} from '../../config/documents/config-document.ts'
import type { Issue } from '../../config/spec/issue.ts'
import { fileFields, permissionIssues } from '../rules/check-permissions.ts'
import type { PermissionRules, RuleKind } from '../rules/rules.ts'
import { coreAgentDraft } from './core-agent-permissions.ts'
import { isCoreAgentFile } from './permission-files.ts'
import { type Draft, type DraftRule, ruleKinds, valueOf } from './rules-draft.ts'

/** Line and column of a value in a file, starting at 1. */
export interface RulePosition {
  readonly line: number
  readonly column: number
}

/** The positions of rules in a file, in the order of the lists of `PermissionRules`. */
export interface RulePositions extends Readonly<Record<RuleKind, readonly RulePosition[]>> {
  /** Undefined if the file sets no mode. */
  readonly mode: RulePosition | undefined
}

/** Permission rules that were read from a file. */
export interface PermissionsReading {
  /** Path of the file. */
  readonly file: string
  /** The form of the file: Toolbridge's own, or the `permissions` of core-agent's settings. */
  readonly form: 'toolbridge' | 'core-agent'
  /** The rules; none if the file has errors. */
  readonly rules: PermissionRules
  /** Where each rule is in the file. */
  readonly positions: RulePositions
  /** Errors make the file unusable. Warnings say what core-agent's form means here. */
  readonly issues: readonly Issue[]
}

/** Options of `readPermissions`. */
export interface ReadPermissionsOptions {
  /** Path of the file, for messages and to recognize core-agent's settings. */
  readonly file: string
}

/**
 * Reads permission rules from JSON with comments: an object with the fields of `PermissionRules`, or core-agent's settings,
 * which have them below `permissions`. Reports every problem with its line.
 */
export function readPermissions(text: string, { file }: ReadPermissionsOptions): PermissionsReading {
  const document = parseDocument(text, file, 'json')
  if ('code' in document)
    return { file, form: 'toolbridge', rules: {}, positions: noPositions, issues: [document] }
  const nested = fieldOf(document.root, 'permissions')
  if (nested !== undefined) return readingOf(document, 'core-agent', coreAgentDraft(nested))
  return isCoreAgentFile(file)
    ? { file, form: 'core-agent', rules: {}, positions: noPositions, issues: [] }
    : readingOf(document, 'toolbridge', ownDraft(document.root))
}

const noPositions: RulePositions = { mode: undefined, allow: [], ask: [], deny: [] }

/** Editors use `$schema`. */
function ownDraft(root: DocumentLocation): Draft {
  const { $schema: _schema, ...fields } = Object.fromEntries(
    fieldsOf(root).map((field) => [field.key, valueOf(field.node)]),
  )
  const rules = ruleKinds.map((kind) => {
    const list = fieldOf(root, kind)
    return [
      kind,
      list === undefined ? [] : itemsOf(list).map((at) => ({ value: valueOf(at.node), at })),
    ] as const
  })
  const isObject = root.node.type === 'object'
  return {
    root,
    value: isObject ? fields : valueOf(root.node),
    rules: new Map(rules),
    mode: fieldOf(root, 'mode'),
    findings: [],
  }
}

function readingOf(
  document: ConfigDocument,
  form: PermissionsReading['form'],
  draft: Draft,
): PermissionsReading {
  const { file } = document
  const issues = [
    ...repeatedFields(fieldsOf(draft.root)).map((field) => document.issueAt(field, repetition(field.key))),
    ...draft.findings.map(({ at, ...finding }) =>
      document.issueAt(at, { code: 'permissions_invalid', ...finding }),
    ),
    ...permissionIssues(draft.value, '', fileFields).map(({ path, ...finding }) =>
      document.issueAt(locationIn(draft, path), finding),
    ),
  ]
  if (issues.some(({ severity }) => severity === 'error'))
    return { file, form, rules: {}, positions: noPositions, issues }
  // Valid rules are what was checked.
  return {
    file,
    form,
    rules: draft.value as PermissionRules,
    positions: positionsOf(document, draft),
    issues,
  }
}

function repetition(key: string): Pick<Issue, 'code' | 'severity' | 'message' | 'fix'> {
  const message = `"${key}" appears twice, and only one of them would count`
  return { code: 'permissions_invalid', severity: 'error', message, fix: 'put both in one list' }
}

function positionsOf({ positionOf }: ConfigDocument, { rules, mode }: Draft): RulePositions {
  const ofKind = (kind: RuleKind): readonly RulePosition[] =>
    (rules.get(kind) ?? []).map(({ at }) => positionOf(at))
  return {
    mode: mode && positionOf(mode),
    allow: ofKind('allow'),
    ask: ofKind('ask'),
    deny: ofKind('deny'),
  }
}

/** The location of a JSON pointer into the draft, or of the closest value around it. */
function locationIn({ root, rules }: Draft, pointer: string): DocumentLocation {
  const [field = '', ...steps] = pointerSteps(pointer)
  const list: readonly DraftRule[] | undefined = rules.get(field as RuleKind)
  const rule = list?.[Number(steps[0])]
  return rule === undefined ? walk(root, [field, ...steps]) : walk(rule.at, steps.slice(1))
}

function walk(from: DocumentLocation, [step, ...rest]: readonly string[]): DocumentLocation {
  if (step === undefined) return from
  const next = fieldOf(from, step) ?? itemsOf(from)[Number(step)]
  return next === undefined ? from : walk(next, rest)
}
