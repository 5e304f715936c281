import {
  type DocumentLocation,
  type Field,
  fieldOf,
  fieldsOf,
  itemsOf,
} from '../../config/documents/config-document.ts'
import type { RuleKind } from '../rules/rules.ts'
import { type Draft, type DraftFinding, type DraftRule, ruleKinds, valueOf } from './rules-draft.ts'

/**
 * Translates the `permissions` of core-agent's settings. What has no equal here becomes stricter, with a warning, or is an
 * error: its modes `allow` and `acceptEdits` ask here. Patterns for its own tools concern no MCP server and are left out.
 */
export function coreAgentDraft(root: Field): Draft {
  const findings: DraftFinding[] = []
  const rules = new Map(ruleKinds.map((kind) => [kind, rulesIn(root, kind, findings)]))
  const mode = fieldOf(root, 'mode')
  if (root.node.type !== 'object') return { root, value: valueOf(root.node), rules, mode, findings }
  const entries = fieldsOf(root).flatMap(({ key, node }) => {
    if (ownFields.has(key)) return []
    const list = rules.get(key as RuleKind)
    // A value that is not a list stays, so that it is reported.
    return [
      [key, list !== undefined && node.type === 'array' ? list.map(({ value }) => value) : valueOf(node)],
    ]
  })
  const value = { ...Object.fromEntries(entries), mode: modeOf(root, mode, findings) }
  return { root, value, rules, mode, findings }
}

/** Fields about the tools of core-agent itself, about how long it waits, and those that are read with the mode. */
const ownFields: ReadonlySet<string> = new Set([
  'use_builtin_allow',
  'builtin_allow_extras',
  'approval_timeout',
  'plan_mode',
  'require_plan_artifact',
])

function rulesIn(root: DocumentLocation, kind: RuleKind, findings: DraftFinding[]): readonly DraftRule[] {
  const list = fieldOf(root, kind)
  return (list === undefined ? [] : itemsOf(list)).flatMap((at) => {
    const value = valueOf(at.node)
    if (typeof value !== 'string') return [{ value, at }]
    const pattern = translatedPattern(value)
    if ('rule' in pattern) return [{ value: pattern.rule, at }]
    findings.push({ at, ...pattern })
    return []
  })
}

type Untranslated = Pick<DraftFinding, 'severity' | 'message' | 'fix'>

const namespaces: ReadonlySet<string> = new Set(['resource', 'prompt', 'sampling', 'elicitation'])

/**
 * core-agent matches `<tool>:<glob>`, or a glob for any tool, with the text `<tool name> <arguments as JSON>`. The name is
 * matched here; a condition on the JSON text has no equal. Other namespaces and `mcp://` are Toolbridge's own.
 */
function translatedPattern(text: string): { readonly rule: string } | Untranslated {
  const [, tool = '*', glob = text] = /^([^:]*):([\s\S]*)$/.exec(text) ?? []
  if (namespaces.has(tool) || glob.startsWith('//')) return { rule: text }
  if (tool !== 'mcp' && tool !== '*') return concernsOthers(text)
  const [, name = '', json = '*'] = /^(\S*)(?:\s+(\S[\s\S]*))?$/.exec(glob.trim()) ?? []
  if (/^\*+$/.test(json)) return { rule: `mcp:${name}` }
  return /^[*?[{]/.test(json) ? conditionOnText(text) : concernsOthers(text)
}

function concernsOthers(text: string): Untranslated {
  const message = `"${text}" is about a tool of core-agent itself and concerns no MCP server`
  return { severity: 'warning', message, fix: 'nothing to do' }
}

function conditionOnText(text: string): Untranslated {
  const message = `"${text}" tests the arguments as text, which is not supported`
  return { severity: 'error', message, fix: 'name the argument, such as mcp://files/write(path=/etc/**)' }
}

/** Modes of core-agent that mean something else here. */
const modes: Readonly<Record<string, string>> = {
  allow:
    'core-agent allows only listed tools in mode "allow"; here the others are asked about, as in mode "ask"',
  acceptEdits:
    'mode "acceptEdits" is about the file tools of core-agent; MCP tools are asked about, as in mode "ask"',
}

/** core-agent asks if it has no mode. */
function modeOf(root: DocumentLocation, mode: Field | undefined, findings: DraftFinding[]): unknown {
  const value = mode === undefined ? 'ask' : valueOf(mode.node)
  const message = Object.hasOwn(modes, String(value)) ? modes[String(value)] : undefined
  if (mode !== undefined && message !== undefined)
    findings.push({ at: mode, severity: 'warning', message, fix: 'write "mode": "ask" to say so' })
  const asks = message !== undefined || (value === 'yolo' && requiresPlan(root, findings))
  return asks ? 'ask' : value
}

/** core-agent then denies calls until its model has recorded a plan, which Toolbridge cannot know. */
function requiresPlan(root: DocumentLocation, findings: DraftFinding[]): boolean {
  const required = ['plan_mode', 'require_plan_artifact']
    .flatMap((key) => fieldOf(root, key) ?? [])
    .find(({ node }) => node.value === 'required' || node.value === true)
  if (required === undefined) return false
  const message = `"${required.key}" has no equal here, so mode "yolo" becomes "ask"`
  findings.push({ at: required, severity: 'warning', message, fix: 'remove it to use mode "yolo"' })
  return true
}
