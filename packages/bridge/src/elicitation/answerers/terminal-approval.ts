import { confirm, isCancel, note, select } from '@clack/prompts'
import { printable } from '@toolbridge/client/internal'
import type { Answer, ApprovalDecision, ApprovalQuestion } from '../question.ts'
import type { Screen } from './terminal-field.ts'

/** Asks for an approval and, if there are several decisions, for its extent. */
export async function askApproval(
  question: ApprovalQuestion,
  asker: string,
  screen: Screen,
): Promise<Answer> {
  note(callText(question), `A call to ${asker}`, screen)
  const { change, decisions = [], message } = question
  const isUnusual = change !== undefined || decisions.length === 1
  if (isUnusual) note(printable(`${message}\n${change ?? ''}`, { keepLines: true }), 'Look closely', screen)
  return decisions.length > 1 ? askHowFar(decisions, screen) : askOnce(screen)
}

async function askOnce(screen: Screen): Promise<Answer> {
  const isAllowed = await confirm({
    message: 'Allow this call?',
    active: 'Allow',
    inactive: 'Refuse',
    initialValue: false,
    ...screen,
  })
  if (isCancel(isAllowed)) return { action: 'cancel' }
  return { action: isAllowed ? 'accept' : 'decline' }
}

const labels: Readonly<Record<ApprovalDecision, string>> = {
  once: 'Allow it once',
  session: 'Allow this very call for the rest of the session',
  tool: 'Allow this tool for the rest of the session',
  always: 'Allow this tool from now on',
}

async function askHowFar(decisions: readonly ApprovalDecision[], screen: Screen): Promise<Answer> {
  const decision = await select<ApprovalDecision | 'refuse'>({
    message: 'Allow this call?',
    options: [
      { value: 'refuse', label: 'Refuse' },
      ...decisions.map((value) => ({ value, label: labels[value] })),
    ],
    initialValue: 'refuse',
    ...screen,
  })
  if (isCancel(decision)) return { action: 'cancel' }
  return decision === 'refuse' ? { action: 'decline' } : { action: 'accept', decision }
}

/** The whole call and the reason for the question. */
function callText({ tool, arguments: { text, omitted }, reason }: ApprovalQuestion): string {
  return [
    `${printable(tool)} ${printable(text, { keepLines: true })}`,
    ...(omitted === 0 ? [] : [`… and ${omitted} more characters that are not shown`]),
    ...(reason === undefined ? [] : [`It is asked about because of this: ${printable(reason)}`]),
  ].join('\n')
}
