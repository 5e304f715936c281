import { printable } from '@toolbridge/client/internal'
import type { Invocation } from '../../command.ts'
import { colorsFor } from '../../colors.ts'
import { printResult } from '../../display/print-result.ts'
import { widthOf, wrapText } from '../../display/text-width.ts'
import { ExitCode } from '../../exit-code.ts'
import { callSummary, decidingSource, describeVerdict } from './call-report.ts'
import { explainedCall } from './explained-call.ts'
import { storedApprovals } from './stored-approvals.ts'
import { sourceText } from '../../permissions/sourced-rules.ts'
import { print } from '../../terminal.ts'

/** The exit status for each verdict; that of a denied call is the same as for `call`. */
const statuses = {
  allow: ExitCode.Ok,
  ask: ExitCode.ToolFailed,
  deny: ExitCode.Denied,
  depends: ExitCode.ToolFailed,
}

export async function testPermission(invocation: Invocation): Promise<ExitCode> {
  const { terminal } = invocation
  const call = await explainedCall(invocation, { mayBeOpen: false })
  if (typeof call === 'number') return call
  const hasStoredApproval = call.verdict === 'ask' && (await storedApprovals(terminal, call)) > 0
  printResult(invocation, { ...callSummary(call), hasStoredApproval }, () => {
    const [colors, width] = [colorsFor(terminal, terminal.stdout), widthOf(terminal.stdout)]
    const source = decidingSource(call)
    const from = source === undefined ? '' : ` (${sourceText(source)})`
    print(terminal, describeVerdict(call, colors))
    for (const line of wrapText(printable(`${call.reason}${from}`), 2, width)) print(terminal, line)
    if (hasStoredApproval)
      for (const line of wrapText(storedNote, 2, width)) print(terminal, colors.dim(line))
  })
  return statuses[call.verdict]
}

const storedNote =
  'A stored approval of this tool answers it, unless the tool or its definition has changed. See: toolbridge grants list'
