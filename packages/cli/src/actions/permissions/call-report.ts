import { printable } from '@toolbridge/client/internal'
import type { Colors } from '../../colors.ts'
import type { ExplainedCall } from './explained-call.ts'
import { type RuleSource, sourceOf } from '../../permissions/sourced-rules.ts'

/** The part of an explanation that is printed as JSON by every command. */
export function callSummary(call: ExplainedCall): object {
  const { name, spec, tool, verdict, reason, controlFile, isStarted } = call
  return {
    tool: { name, server: spec.name, rawName: tool },
    arguments: call.arguments ?? null,
    verdict,
    reason,
    source: decidingSource(call) ?? null,
    controlFile: controlFile ?? null,
    isServerStarted: isStarted,
  }
}

/** Where the rule, definition or mode is set that decides. */
export function decidingSource({ steps, permissions, spec, verdict }: ExplainedCall): RuleSource | undefined {
  const step = steps.find(({ decides }) => decides)
  if (step === undefined || verdict === 'depends') return undefined
  if (step.kind === 'definition') return definitionSource(spec)
  if (step.kind === 'mode') return modeSource(step.set, permissions)
  return sourceOf(step, permissions.sourced)
}

/** Where a server is defined. */
export function definitionSource({ source: { file, line } }: ExplainedCall['spec']): RuleSource {
  return line === undefined ? { file } : { file, line }
}

function modeSource(set: number, { mode, files }: ExplainedCall['permissions']): RuleSource | undefined {
  const file = set === 0 ? mode.from : files.filter(({ role }) => role === 'found')[set - 1]
  if (file === '--mode') return { flag: file }
  return file === undefined || file === 'default' || file.positions.mode === undefined
    ? undefined
    : { file: file.file, ...file.positions.mode }
}

const words = {
  allow: 'allowed',
  ask: 'needs an approval',
  deny: 'denied',
  depends: 'depends on the arguments',
}
const paint = { allow: 'green', ask: 'yellow', deny: 'red', depends: 'yellow' } as const

/** The tool and its verdict in one line. */
export function describeVerdict({ name, verdict }: ExplainedCall, colors: Colors): string {
  return `${colors.bold(printable(name))}: ${colors[paint[verdict]](words[verdict])}`
}
