import { type Issue, pointerTo } from '../../config/spec/issue.ts'
import { ConfigError } from '../../errors.ts'
import { isJsonObject, suggestName } from '@toolbridge/client/internal'
import { hasWindowsSeparators } from './argument-pattern.ts'
import { parsePattern } from './pattern.ts'

/**
 * Validates `PermissionRules`. Throws a `ConfigError` with every issue: a rule that is not understood must not allow a
 * call.
 */
export function checkPermissions(rules: unknown): void {
  const issues = permissionIssues(rules, '', everyField)
  if (issues.length > 0) throw ConfigError.of(issues)
}

const modes: readonly string[] = ['ask', 'allow', 'yolo', 'plan']
const lists: readonly string[] = ['allow', 'ask', 'deny', 'approve']
const textLists: readonly string[] = ['trustAnnotations', 'controlFiles']

/** The fields of rules in a file. */
export const fileFields: readonly string[] = ['mode', 'allow', 'ask', 'deny', ...textLists]

/** The fields of a set of rules that restricts others: it approves nothing. */
const restrictionFields: readonly string[] = [...fileFields, 'restrictedBy']

const everyField: readonly string[] = [...restrictionFields, 'approve']

/** Validates rules at a JSON pointer that may have these fields. */
export function permissionIssues(rules: unknown, path: string, known: readonly string[]): readonly Issue[] {
  if (!isJsonObject(rules))
    return [ruleIssue(path, 'the permission rules must be an object', 'write { "mode": "ask" }')]
  return Object.entries(rules).flatMap(([key, value]) =>
    known.includes(key) ? fieldIssues(path, key, value) : [unknownField(path, key, known)],
  )
}

function unknownField(path: string, key: string, known: readonly string[]): Issue {
  const fix = 'use "mode", "allow", "ask", "deny", "trustAnnotations" and "controlFiles"'
  const message = `unknown field "${key}" in permission rules`
  return ruleIssue(pointerTo(path, key), message, withSuggestion(fix, key, known))
}

function fieldIssues(parent: string, key: string, value: unknown): readonly Issue[] {
  const path = pointerTo(parent, key)
  if (value === undefined) return []
  if (key === 'mode') return modeIssues(path, value)
  if (!Array.isArray(value)) return [ruleIssue(path, `"${key}" must be a list`, 'write [ … ] around it')]
  return value.flatMap((entry: unknown, index) => {
    const entryPath = pointerTo(path, index)
    if (key === 'restrictedBy') return permissionIssues(entry, entryPath, restrictionFields)
    return lists.includes(key) ? ruleIssues(entryPath, key, entry) : textIssues(entryPath, entry)
  })
}

function modeIssues(path: string, mode: unknown): readonly Issue[] {
  if (typeof mode === 'string' && modes.includes(mode)) return []
  const shown = typeof mode === 'string' ? `"${mode}"` : '(not a string)'
  const fix = withSuggestion('use "ask", "allow", "yolo" or "plan"', String(mode), modes)
  return [ruleIssue(path, `unknown permission mode ${shown}`, fix)]
}

function withSuggestion(fix: string, name: string, known: readonly string[]): string {
  const suggestion = suggestName(name, known)
  return suggestion === undefined ? fix : `${suggestion} ${fix}`
}

/** Longer texts and more wildcards are no rules that anybody wrote, and would take long to compare. */
const maxLength = 4_096
const maxWildcards = 64

function sizeIssues(path: string, text: string): readonly Issue[] {
  if (text.length > maxLength) {
    const message = `a text of ${text.length} characters in a permission rule; at most ${maxLength} are allowed`
    return [ruleIssue(path, message, 'end it with *, or match several shorter texts')]
  }
  const count = text.match(/\*+/g)?.length ?? 0
  if (count <= maxWildcards) return []
  const message = `${count} wildcards in one text of a permission rule; at most ${maxWildcards} are allowed`
  return [ruleIssue(path, message, 'use ** for everything between two texts')]
}

function textIssues(path: string, entry: unknown): readonly Issue[] {
  if (typeof entry === 'string' && entry !== '') return sizeIssues(path, entry)
  return [ruleIssue(path, 'a list of names contains a value that is not a string', 'write names in quotes')]
}

function ruleIssues(path: string, kind: string, rule: unknown): readonly Issue[] {
  if (typeof rule === 'string') return patternIssues(path, kind, rule)
  if (!isJsonObject(rule))
    return [ruleIssue(path, 'a permission rule must be a string or an object', 'write "mcp:…"')]
  const { match, ...rest } = rule
  const matchIssues =
    typeof match === 'string'
      ? patternIssues(pointerTo(path, 'match'), kind, match)
      : [ruleIssue(path, 'a permission rule has no "match"', 'add "match": "mcp:…"')]
  return [
    ...matchIssues,
    ...Object.entries(rest).flatMap(([key, value]) => [
      ...partIssues(path, key, value),
      ...misplacedIssues(path, key, match),
    ]),
  ]
}

/** Reports conditions that can never hold because the namespace has no such property. */
function misplacedIssues(path: string, key: string, match: unknown): readonly Issue[] {
  const isShort = typeof match === 'string' && sizeIssues(path, match).length === 0
  const pattern = isShort ? parsePattern(match) : undefined
  if (pattern === undefined || 'problem' in pattern) return []
  const having: readonly string[] | undefined = { arguments: ['mcp', 'prompt'], annotations: ['mcp'] }[key]
  if (having === undefined || having.includes(pattern.namespace)) return []
  const message = `"${pattern.namespace}:" has no ${key}`
  return [ruleIssue(pointerTo(path, key), message, `leave out "${key}", or match ${having.join(': or ')}:`)]
}

function patternIssues(path: string, kind: string, text: string): readonly Issue[] {
  const issues = sizeIssues(path, text)
  if (issues.length > 0) return issues
  const pattern = parsePattern(text)
  if ('problem' in pattern) return [ruleIssue(path, pattern.problem, pattern.fix)]
  if (pattern.namespace !== 'elicitation' || kind !== 'ask') return []
  const message = `"${text}" cannot be in "ask": a question of a server is already a question`
  return [ruleIssue(path, message, 'allow it or deny it')]
}

function partIssues(path: string, key: string, value: unknown): readonly Issue[] {
  const entryPath = pointerTo(path, key)
  switch (key) {
    case 'principal':
      return textIssues(entryPath, value)
    case 'annotations':
      return annotationIssues(entryPath, value)
    case 'arguments':
      return argumentIssues(entryPath, value)
    default: {
      const message = `unknown field "${key}" in a permission rule`
      return [ruleIssue(entryPath, message, 'use "match", "arguments", "annotations" and "principal"')]
    }
  }
}

const annotationNames: readonly string[] = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
]

function annotationIssues(path: string, value: unknown): readonly Issue[] {
  const fix = `write { "readOnlyHint": true }, with ${annotationNames.join(', ')} to choose from`
  if (!isJsonObject(value)) return [ruleIssue(path, '"annotations" must be an object', fix)]
  return Object.entries(value)
    .filter(([name, claim]) => !annotationNames.includes(name) || typeof claim !== 'boolean')
    .map(([name]) =>
      ruleIssue(pointerTo(path, name), `the annotation "${name}" is unknown or not a boolean`, fix),
    )
}

function argumentIssues(path: string, value: unknown): readonly Issue[] {
  const fix = 'write { "/path": "/etc/**" }, with a string, a value, { "equals": … } or a list of those'
  if (!isJsonObject(value)) return [ruleIssue(path, '"arguments" must be an object', fix)]
  return Object.entries(value).flatMap(([key, wanted]) => {
    const entryPath = pointerTo(path, key)
    if (key === '' || !isConditions(wanted))
      return [ruleIssue(entryPath, `invalid condition on "${key}"`, fix)]
    const globs = [wanted].flat().filter((each) => typeof each === 'string')
    const issues = [key, ...globs].flatMap((text) => sizeIssues(entryPath, text))
    if (issues.length > 0) return issues
    if (!globs.some(hasWindowsSeparators)) return []
    const message = `the condition on "${key}" has a "\\" as separator; use "/", also for Windows`
    return [ruleIssue(entryPath, message, 'write C:/Windows/**')]
  })
}

function isConditions(wanted: unknown): boolean {
  if (!Array.isArray(wanted)) return isCondition(wanted)
  return wanted.length > 0 && wanted.every(isCondition)
}

function isCondition(wanted: unknown): boolean {
  if (isJsonObject(wanted)) return Object.keys(wanted).join() === 'equals'
  return wanted === null || ['string', 'number', 'boolean'].includes(typeof wanted)
}

function ruleIssue(path: string, message: string, fix: string): Issue {
  return { code: 'permissions_invalid', severity: 'error', file: 'permission rules', path, message, fix }
}
