import type { PermissionStep } from '@toolbridge/bridge/permissions'
import { printable } from '@toolbridge/client/internal'
import { type Colors, colorsFor } from '../../colors.ts'
import type { Invocation } from '../../command.ts'
import { printResult } from '../../display/print-result.ts'
import { widthOf, wrapText } from '../../display/text-width.ts'
import { ExitCode } from '../../exit-code.ts'
import { adviceFor } from './advice.ts'
import { callSummary, describeVerdict } from './call-report.ts'
import { type ExplainedCall, explainedCall } from './explained-call.ts'
import { sourceOf, sourceText } from '../../permissions/sourced-rules.ts'
import { print } from '../../terminal.ts'

export async function explainPermissions(invocation: Invocation): Promise<ExitCode> {
  const { terminal } = invocation
  const call = await explainedCall(invocation, { mayBeOpen: true })
  if (typeof call === 'number') return call
  const steps = call.steps.map(({ set, kind, text, match, because, decides, ...step }) => ({
    file: fileOf(set, call) ?? null,
    kind,
    text,
    source: sourceOf({ ...step, set, kind, text, match, decides }, call.permissions.sourced) ?? null,
    match,
    because: because ?? null,
    decides,
  }))
  const advice = adviceFor(call)
  printResult(invocation, { ...callSummary(call), steps, advice }, () => {
    const [colors, width] = [colorsFor(terminal, terminal.stdout), widthOf(terminal.stdout)]
    for (const line of describe(call, advice, colors, width)) print(terminal, line)
  })
  return ExitCode.Ok
}

/** The file of a set of rules that only restricts. */
function fileOf(set: number, { permissions: { files } }: ExplainedCall): string | undefined {
  return files.filter(({ role }) => role === 'found')[set - 1]?.file
}

function describe(
  call: ExplainedCall,
  advice: readonly string[],
  colors: Colors,
  width: number,
): readonly string[] {
  const sets = [...new Set(call.steps.map(({ set }) => set))]
  return [
    describeVerdict(call, colors),
    ...wrapText(printable(call.reason), 2, width),
    ...sets.flatMap((set) => [
      '',
      ...wrapText(printable(titleOf(set, call)), 0, width).map((line) => colors.bold(line)),
      ...call.steps
        .filter((step) => step.set === set)
        .flatMap((step) => stepLines(step, call, colors, width)),
    ]),
    '',
    colors.bold('What to change'),
    ...advice.flatMap((line) => wrapText(printable(line), 2, width)),
  ]
}

function titleOf(set: number, call: ExplainedCall): string {
  return set === 0 ? 'Your rules' : `Rules of ${fileOf(set, call)}, which only restrict`
}

const mismatchWords: Readonly<Record<NonNullable<PermissionStep['because']>, string>> = {
  namespace: 'is not about tools',
  tool: 'is about another tool',
  'name-style': 'has the name in another naming style; write mcp://<server>/<tool>',
  annotations: 'the annotations of the tool differ, or are not trusted (trustAnnotations)',
  principal: 'is about another principal',
  arguments: 'the arguments do not meet its conditions',
  mode: 'is ignored in this mode',
}

function stepLines(
  step: PermissionStep,
  { permissions: { sourced } }: ExplainedCall,
  colors: Colors,
  width: number,
): readonly string[] {
  const { kind, text, match, decides } = step
  const source = sourceOf(step, sourced)
  const from = source === undefined ? '' : `  ${sourceText(source)}`
  const label = kind === 'approve' ? 'allow' : kind
  const isNamed = kind !== 'mode' && kind !== 'definition'
  const what = wrapText(
    printable(`${decides ? '→' : ' '} ${isNamed ? `${label.padEnd(5)} ` : ''}${text}${from}`),
    0,
    width,
  )
  return [
    ...what.map((line) => (decides ? colors.bold(line) : line)),
    ...wrapText(`${matchText(step, match)}`, 8, width).map((line) => colors.dim(line)),
  ]
}

function matchText({ because, decides, kind }: PermissionStep, match: PermissionStep['match']): string {
  if (decides) return 'decides'
  if (match === 'depends') return 'depends on the arguments'
  if (match === 'no') return because === undefined ? 'does not match' : mismatchWords[because]
  return kind === 'mode' ? 'applies if nothing else decides' : 'matches, but does not decide'
}
