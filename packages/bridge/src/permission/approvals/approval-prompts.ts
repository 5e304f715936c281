import type { ApprovalDecision } from '../../elicitation/question.ts'
import { printable } from '@toolbridge/client/internal'
import type { ApprovalPrompt } from './approvals.ts'
import type { Decision } from '../rules/decide.ts'
import { describeChange } from '../pins/describe-change.ts'
import type { Pin } from '../pins/pins.ts'
import type { ToolPermission } from '../tool-permission.ts'

const everyDecision: readonly ApprovalDecision[] = ['once', 'session', 'tool', 'always']

/** The prompt for a call that a rule, a definition or the mode says to ask about. */
export function approvalPrompt(message: string, { reason }: Decision): ApprovalPrompt {
  return {
    message,
    reason,
    advice: 'allow it by a rule or give an answerer',
    decisions: everyDecision,
    isAboutCallOnly: true,
  }
}

/** The stored pin of a tool; undefined if there is none, a problem if it cannot be read. */
export type StoredPin = Pin | { readonly problem: string } | undefined

/** Returns whether the tool is the same as when it was pinned. */
export function isUnchanged(before: StoredPin, { pin }: ToolPermission): boolean {
  return before !== undefined && 'hash' in before && before.hash === pin.hash
}

/** The prompt for a tool that differs from its pin or cannot be compared with it. */
export function changedToolPrompt(
  before: StoredPin,
  permission: ToolPermission,
  { verdict }: Decision,
): ApprovalPrompt | undefined {
  if (before === undefined || isUnchanged(before, permission)) return undefined
  const { name } = permission.tool
  const decisions = verdict === 'allow' ? (['once'] as const) : everyDecision
  if ('problem' in before)
    return {
      message: `${name} cannot be compared with its approved version. Allow this call, and the tool as it is now?`,
      reason: `the approved version cannot be read: ${before.problem}`,
      advice: 'fix the pin store, or let a person approve the tool as it is now',
      change: 'The approved version cannot be read, so there is no comparison.',
      decisions,
    }
  return {
    message: `${name} has changed since it was approved. Allow this call, and the tool as it is now?`,
    reason: 'the tool has changed',
    advice: 'only a person can approve a changed tool',
    change: describeChange(before, permission.pin),
    decisions,
  }
}

/** The prompt for a tool whose pin cannot be stored, so that later changes would go unnoticed. */
export function unpinnedToolPrompt({ tool: { name } }: ToolPermission, problem: string): ApprovalPrompt {
  return {
    message: `The definition of ${name} cannot be stored, so later changes would go unnoticed. Allow this one call?`,
    reason: `its definition cannot be stored: ${problem}`,
    advice: 'fix the pin store, or let a person allow each call',
    decisions: ['once'],
  }
}

/** The prompt for a call that names a control file: no mode or grant answers it, and an answer holds for one call. */
export function controlFilePrompt(
  tool: string,
  file: string,
  open: ApprovalPrompt | undefined,
): ApprovalPrompt {
  const shown = printable(file, { maxLength: 200 })
  const message = `${tool} names ${shown}, a control file, which decides which programs start and what they may do. Allow this one call?`
  return {
    message,
    reason: 'a control file',
    advice: 'only a person can allow a call that names a control file',
    change: open?.change,
    decisions: ['once'],
  }
}
