import { type Issue, pointerTo } from '../config/issue.ts'
import { ConfigError } from '../errors.ts'
import { isRecord } from '../record.ts'
import { parsePattern } from './pattern.ts'

/**
 * Throws a `ConfigError` with every issue of a value that should be `PermissionRules`: what is not understood must not
 * let a call through.
 */
export function checkPermissions(rules: unknown): void {
  const issues = isRecord(rules)
    ? Object.entries(rules).flatMap(([key, value]) => fieldIssues(key, value))
    : [ruleIssue('', 'the permission rules must be an object', 'write { "mode": "ask" }')]
  if (issues.length > 0) throw ConfigError.of(issues)
}

const modes: readonly unknown[] = ['ask', 'allow', 'yolo']
const lists: readonly string[] = ['allow', 'ask', 'deny']

function fieldIssues(key: string, value: unknown): readonly Issue[] {
  const path = pointerTo('', key)
  if (key !== 'mode' && !lists.includes(key)) {
    const message = `the permission rules have "${key}", which is not understood`
    return [ruleIssue(path, message, 'use "mode", "allow", "ask" and "deny"')]
  }
  if (value === undefined) return []
  if (key === 'mode') return modeIssues(path, value)
  if (!Array.isArray(value))
    return [ruleIssue(path, `"${key}" must be a list of patterns`, 'write [ "mcp:…" ]')]
  return value.flatMap((pattern, index) => patternIssues(pointerTo(path, index), pattern))
}

function modeIssues(path: string, mode: unknown): readonly Issue[] {
  if (modes.includes(mode)) return []
  const shown = typeof mode === 'string' ? `"${mode}"` : 'that is no text'
  return [ruleIssue(path, `the permission mode ${shown} is not known`, 'use "ask", "allow" or "yolo"')]
}

function patternIssues(path: string, pattern: unknown): readonly Issue[] {
  if (typeof pattern === 'string' && parsePattern(pattern) !== undefined) return []
  const shown = typeof pattern === 'string' ? `"${pattern}"` : 'what is no text'
  const fix = 'write mcp:<public name> or mcp://<server>/<tool>, such as mcp://files/read_*'
  return [ruleIssue(path, `${shown} is not a permission pattern`, fix)]
}

function ruleIssue(path: string, message: string, fix: string): Issue {
  return { code: 'permissions_invalid', severity: 'error', file: 'permission rules', path, message, fix }
}
