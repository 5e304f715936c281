import { toolUri } from '@toolbridge/bridge/catalog'
import { decidingSource, definitionSource } from './call-report.ts'
import type { ExplainedCall } from './explained-call.ts'
import { type RuleSource, sourceText } from '../../permissions/sourced-rules.ts'

/** What to change for another verdict. */
export function adviceFor(call: ExplainedCall): readonly string[] {
  const rule = toolUri(call.spec.name, call.tool)
  switch (call.verdict) {
    case 'depends':
      return [`Give the arguments: toolbridge permissions test ${rule} <name>=<value> …`]
    case 'allow':
      return [
        `To be asked first: --ask '${rule}', or "ask": ["${rule}"] in a rules file.`,
        `To forbid it: --deny '${rule}', or "deny": ["${rule}"] in a rules file.`,
      ]
    case 'ask':
      return call.controlFile === undefined ? adviceToAllow(rule) : [controlFileAdvice]
    case 'deny':
      return [adviceAgainstDeny(call)]
  }
}

const controlFileAdvice =
  'The arguments name a file that decides which programs start or what they may do. Only a person at a terminal can approve that.'

function adviceToAllow(rule: string): readonly string[] {
  return [
    `To approve it on the command line: --allow '${rule}'.`,
    'To approve it for good: make the call at a terminal and choose to allow the tool from now on.',
  ]
}

function adviceAgainstDeny(call: ExplainedCall): string {
  const step = call.steps.find(({ decides }) => decides)
  const source = decidingSource(call)
  if (step === undefined) return `Change the tools that ${at(definitionSource(call.spec))} offers.`
  if (step.kind === 'definition')
    return `Change the approval that the server has in ${at(definitionSource(call.spec))}.`
  if (step.kind === 'mode') return `Choose another mode: it is set by ${at(source)}.`
  return `Remove or narrow the rule of ${at(source)}. Nothing overrides a deny.`
}

function at(source: RuleSource | undefined): string {
  return source === undefined ? 'the default' : sourceText(source)
}
